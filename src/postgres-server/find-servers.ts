import type { Config } from '../config/config.ts';
import { Misconfigured } from '../core/errors.ts';
import { atServers, changePostgresUrl } from '../core/postgres-url.ts';
import {
  ensurePrivateServer,
  findHomeData,
  limitAccountMemory,
  readBundledLibraries,
  readMemoryLimit,
  type BundledLibrary,
  type PrivateServer,
} from './index.ts';

/** Addresses of Postgres, for each role. */
export interface PostgresAddress {
  /** `private`: the private server in the home folder; `given`: the server of `DATABASE_URL`. */
  readonly kind: 'private' | 'given';
  /** Owner of the schema, for migrations. */
  readonly ownerUrl: string;
  /** Login of the service; sessions act as `nightshift_app`. */
  readonly appUrl: string;
  /** As `appUrl`, always to the server itself: for work that needs a session of its own. */
  readonly directUrl: string;
  /** True when `appUrl` is the address of a pooler in transaction mode. */
  readonly isPooled: boolean;
  /** Login for SQL queries of operators; sessions act as `nightshift_reader`. */
  readonly readerUrl: string;
  /** Connection string of the reader for `psql` and other programs: it includes the role. */
  readonly readerLink: string;
  /** Login for SQL queries of accounts, bound to one account per statement; null without such a login. */
  readonly accountReaderUrl: string | null;
  /** The same logins at the replicas of `NIGHTSHIFT_READER_URL`; null without it. */
  readonly replicas: ReplicaAddresses | null;
  /** Limits the memory of a server process that runs a query of an account; null for a given server. */
  readonly limitMemory: ((pid: number) => Promise<boolean>) | null;
  /** The private server; null for a given server. */
  readonly server: PrivateServer | null;
  /** Reads libraries and memory limit of the private server; null for a given server. */
  readonly readBuild: (() => Promise<ServerBuild>) | null;
}

/** Addresses of replicas, for each login that reads. */
export interface ReplicaAddresses {
  readonly appUrl: string;
  readonly readerUrl: string;
  /** Null without such a login. */
  readonly accountReaderUrl: string | null;
}

/** Libraries and memory limit of a private server. */
export interface ServerBuild {
  readonly libraries: readonly BundledLibrary[];
  /** Limit of each process in bytes; null for none. */
  readonly memoryLimit: number | null;
}

/** Options for finding Postgres. */
export interface FindOptions {
  /** Called with a progress message while the private server starts. */
  readonly onProgress: (message: string) => void;
  /** False for work on existing data: a home without a private server is then an error. Default true. */
  readonly mayCreate?: boolean;
}

/**
 * Returns the server of `DATABASE_URL`, else the private one, which it starts unless it is running.
 *
 * @throws Misconfigured | DatabaseUnavailable when the private server cannot be started, or must not be created.
 */
export async function findPostgres(
  config: Config,
  { onProgress, mayCreate = true }: FindOptions,
): Promise<PostgresAddress> {
  const { databaseUrl, ownerUrl, readerUrl, accountReaderUrl, home } = config;
  if (databaseUrl !== null) {
    const directUrl = config.directUrl ?? databaseUrl;
    return {
      kind: 'given',
      ownerUrl: ownerUrl ?? directUrl,
      appUrl: databaseUrl,
      directUrl,
      isPooled: config.directUrl !== null,
      readerUrl: readerUrl === null ? directUrl : atServers(readerUrl, directUrl),
      readerLink: readerUrl ?? actingAs(directUrl, 'nightshift_reader'),
      accountReaderUrl,
      replicas: readerUrl === null ? null : replicasOf(readerUrl, { directUrl, accountReaderUrl }),
      limitMemory: null,
      server: null,
      readBuild: null,
    };
  }
  for (const [name, url] of Object.entries({
    NIGHTSHIFT_DIRECT_URL: config.directUrl,
    NIGHTSHIFT_OWNER_URL: ownerUrl,
    NIGHTSHIFT_READER_URL: readerUrl,
    NIGHTSHIFT_ACCOUNT_READER_URL: accountReaderUrl,
  }))
    if (url !== null) throw new Misconfigured(`${name} requires DATABASE_URL. Set both or neither.`);
  if (!mayCreate && !(await hasPrivateServer(config))) throw new Misconfigured(missingDatabase(home));
  const server = await ensurePrivateServer({ home, onProgress });
  return {
    kind: 'private',
    ownerUrl: server.url('nightshift_owner'),
    appUrl: server.url('nightshift_app'),
    directUrl: server.url('nightshift_app'),
    isPooled: false,
    readerUrl: server.url('nightshift_reader'),
    readerLink: server.url('nightshift_reader'),
    accountReaderUrl: server.url('nightshift_account_reader'),
    replicas: null,
    server,
    limitMemory: (pid) => limitAccountMemory(pid, server.dataFolder),
    readBuild: async () => ({
      libraries: await readBundledLibraries(server.binariesFolder),
      memoryLimit: await readMemoryLimit(server.pid),
    }),
  };
}

/** True if the home folder has the data of a private server. */
export async function hasPrivateServer({ home }: Pick<Config, 'home'>): Promise<boolean> {
  return (await findHomeData(home)) !== undefined;
}

function missingDatabase(home: string): string {
  return (
    `There is no database in ${home}. \`nightshift demo\` creates one with sample data, \`nightshift up\` an empty one. ` +
    'If yours is in another folder, set NIGHTSHIFT_HOME to that folder; for your own server, set DATABASE_URL.'
  );
}

/** Returns the URL of a login that acts as a role from the first statement. */
function actingAs(url: string, role: string): string {
  return changePostgresUrl(url, ({ searchParams }) => searchParams.set('options', `-c role=${role}`));
}

/** The logins keep their names and passwords: roles are the same on a standby. */
function replicasOf(
  readerUrl: string,
  { directUrl, accountReaderUrl }: { readonly directUrl: string; readonly accountReaderUrl: string | null },
): ReplicaAddresses {
  const atReplica = (login: string) => preferStandby(atServers(login, readerUrl));
  return {
    appUrl: atReplica(directUrl),
    readerUrl: preferStandby(readerUrl),
    accountReaderUrl: accountReaderUrl === null ? null : atReplica(accountReaderUrl),
  };
}

function preferStandby(url: string): string {
  return changePostgresUrl(url, ({ searchParams }) => {
    if (!searchParams.has('target_session_attrs')) searchParams.set('target_session_attrs', 'prefer-standby');
  });
}

import type { Config } from '../config/config.ts';
import { Misconfigured } from '../core/errors.ts';
import {
  ensurePrivateServer,
  limitAccountMemory,
  readBundledLibraries,
  readMemoryLimit,
  type BundledLibrary,
} from './index.ts';

/** Address of Postgres, for each of our roles. */
export interface PostgresAddress {
  /** `private`: our own server under the home folder; `given`: the one of `DATABASE_URL`. */
  readonly kind: 'private' | 'given';
  /** For migrations: owns the schema. */
  readonly ownerUrl: string;
  /** For everything else; sessions act as `nightshift_app`. */
  readonly appUrl: string;
  /** For people's SQL; sessions act as `nightshift_reader`. */
  readonly readerUrl: string;
  /** The same for `psql` and other programs: the role is part of it. */
  readonly readerLink: string;
  /** For accounts' own SQL, bound to one account for each statement; null where there is no such login. */
  readonly accountReaderUrl: string | null;
  /** Limits the memory of a server process that runs a query of an account's; null where the server is not on this machine. */
  readonly limitMemory: ((pid: number) => Promise<boolean>) | null;
  /** Reads what the private server is built with and may take; null as above. */
  readonly readBuild: (() => Promise<ServerBuild>) | null;
}

/** Build of a server that runs on this machine. */
export interface ServerBuild {
  readonly libraries: readonly BundledLibrary[];
  /** In bytes, of each process; null for no limit. */
  readonly memoryLimit: number | null;
}

/**
 * The server of `DATABASE_URL`, else a private one, which is started when it does not run yet.
 *
 * @throws Misconfigured | DatabaseUnavailable when the private server cannot be started.
 */
export async function findPostgres(
  config: Config,
  onProgress: (message: string) => void,
): Promise<PostgresAddress> {
  const { databaseUrl, ownerUrl, readerUrl, accountReaderUrl, home } = config;
  if (databaseUrl !== null) {
    return {
      kind: 'given',
      ownerUrl: ownerUrl ?? databaseUrl,
      appUrl: databaseUrl,
      readerUrl: readerUrl ?? databaseUrl,
      readerLink: readerUrl ?? actingAs(databaseUrl, 'nightshift_reader'),
      accountReaderUrl,
      limitMemory: null,
      readBuild: null,
    };
  }
  for (const [name, url] of Object.entries({
    NIGHTSHIFT_OWNER_URL: ownerUrl,
    NIGHTSHIFT_READER_URL: readerUrl,
    NIGHTSHIFT_ACCOUNT_READER_URL: accountReaderUrl,
  }))
    if (url !== null) throw new Misconfigured(`${name} goes with DATABASE_URL: set both or neither.`);
  const server = await ensurePrivateServer({ home, onProgress });
  return {
    kind: 'private',
    ownerUrl: server.url('nightshift_owner'),
    appUrl: server.url('nightshift_app'),
    readerUrl: server.url('nightshift_reader'),
    readerLink: server.url('nightshift_reader'),
    accountReaderUrl: server.url('nightshift_account_reader'),
    limitMemory: (pid) => limitAccountMemory(pid, server.dataFolder),
    readBuild: async () => ({
      libraries: await readBundledLibraries(server.binariesFolder),
      memoryLimit: await readMemoryLimit(server.pid),
    }),
  };
}

/** The same login, acting as a role from the first statement on. */
function actingAs(url: string, role: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set('options', `-c role=${role}`);
  return parsed.href;
}

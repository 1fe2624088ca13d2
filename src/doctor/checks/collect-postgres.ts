import { withClient, type Database } from '../../../db/connection/client.ts';
import { hasOwnSession } from '../../../db/connection/pooled-session.ts';
import { readInstallation, readPooledLogin } from '../../../db/info/pooled-login-info.ts';
import { findPooledLoginMistake } from '../../../db/logins/pooled-login.ts';
import { countPendingMigrations } from '../../../db/migrate.ts';
import { readBackupInfo } from '../../../db/info/backup-info.ts';
import { readQueueInfo } from '../../../db/info/queue-info.ts';
import { hasAccountLogins } from '../../../db/info/role-info.ts';
import { readClock, readLocaleInfo, readServerInfo, type ServerInfo } from '../../../db/info/server-info.ts';
import type { Closers } from '../../closers.ts';
import type { Config } from '../../config/config.ts';
import { Misconfigured } from '../../core/errors.ts';
import { findPostgres, hasPrivateServer, type PostgresAddress } from '../../postgres-server/find-servers.ts';
import { readSpool } from '../../postgres-server/index.ts';
import { schemaFolder } from '../../package-root.ts';
import { examineRoles } from './collect-roles.ts';
import { examine, errorMessage, type Finding } from './check-result.ts';
import { evaluateBackups } from './evaluate-backups.ts';
import { evaluateBuild } from './evaluate-build.ts';
import { evaluateClock } from './evaluate-clock.ts';
import { beforeMigrations, evaluateMigrations } from './evaluate-migrations.ts';
import { evaluatePostgresQueue } from './evaluate-queue.ts';
import {
  evaluateMissing,
  evaluatePooler,
  evaluateReached,
  evaluateUnreached,
  type PoolerInfo,
} from './evaluate-reach.ts';
import {
  evaluateCleaning,
  evaluateConnections,
  evaluateDurability,
  evaluateLocale,
  evaluateServer,
} from './evaluate-server.ts';
import { openLogin, openPooledLogin } from './open-login.ts';

/** Maximum connections of a process (`src/app/servers.ts`): its two pools and the leader lock, and the pool of a queue on Postgres. */
const connectionsOfProcess = 31;
const connectionsOfQueue = 30;

export interface PostgresExamination {
  readonly findings: readonly Finding[];
  /** Null when the server is unreachable: checks that need it are skipped. */
  readonly database: Database | null;
  /** True when the schema is the one of this version. */
  readonly isMigrated: boolean;
  /** True when the private server has not been created yet. */
  readonly isMissing: boolean;
  /** Null without a replica. */
  readonly replicas: PostgresAddress['replicas'];
}

export interface ExamineOptions {
  readonly closers: Closers;
  /** Called with a progress message while the private server starts. */
  readonly onProgress: (message: string) => void;
}

/** Finds or starts the server, without creating one, and checks everything that its login can read. Changes nothing in the database. */
export async function examinePostgres(
  config: Config,
  { closers, onProgress }: ExamineOptions,
): Promise<PostgresExamination> {
  try {
    if (config.databaseUrl === null && !(await hasPrivateServer(config))) return missing(config);
    const address = await findPostgres(config, { onProgress });
    const database = closers.add(openLogin(address.directUrl, null), (opened) => opened.close());
    // The first statement connects. The timeout bounds the wait of later ones, such as for a lock.
    await database.pool.query("SET statement_timeout = '30s'");
    return await examineServer(config, address, database);
  } catch (error) {
    const findings = [evaluateUnreached(config.directUrl ?? config.databaseUrl, error)];
    return { findings, database: null, isMigrated: false, isMissing: false, replicas: null };
  }
}

/** Result for a home without a private server: a command that only reads does not create one. */
function missing({ home }: Config): PostgresExamination {
  return {
    findings: [evaluateMissing(home)],
    database: null,
    isMigrated: false,
    isMissing: true,
    replicas: null,
  };
}

/** Runs the checks of the server. Never throws: every check reports its own error. */
async function examineServer(
  config: Config,
  address: PostgresAddress,
  database: Database,
): Promise<PostgresExamination> {
  const { pool } = database;
  const schema = await examineSchema(database, address.kind === 'private');
  const isQueueHere = config.redisUrl === null;
  const findings = [
    [evaluateReached(address)],
    address.kind === 'given' ? await examinePooler(address, database) : [],
    await checkInfo(database, isQueueHere),
    await examineBuild(address, database),
    await examine('clock of Postgres', async () => [evaluateClock('Postgres', await readClock(pool))]),
    schema.findings,
    schema.isMigrated ? await examineBackups(database, address) : [],
    await examineRoles(database, { address, config, isMigrated: schema.isMigrated }),
    isQueueHere ? await examineQueue(database, schema.isMigrated) : [],
  ];
  return {
    findings: findings.flat(),
    database,
    isMigrated: schema.isMigrated,
    isMissing: false,
    replicas: address.replicas,
  };
}

/** Checks whether a pooler is in between, and the login that goes through it. */
function examinePooler(address: PostgresAddress, { pool }: Database): Promise<readonly Finding[]> {
  return examine('pooler', async () => {
    const hasSession = await withClient(pool, hasOwnSession);
    return evaluatePooler({
      ...address,
      hasSession,
      pooled: address.isPooled ? await readPooled(address, pool) : null,
    });
  });
}

async function readPooled(
  { appUrl }: PostgresAddress,
  direct: Database['pool'],
): Promise<PoolerInfo['pooled']> {
  const pooler = openPooledLogin(appUrl);
  try {
    const login = await readPooledLogin(pooler.pool);
    const mistake = findPooledLoginMistake(login);
    const { transactionIdleMsMax } = login;
    // Without its rights, the login cannot read the rest.
    if (mistake !== null) return { mistake, transactionIdleMsMax, isSameDatabase: true };
    return {
      mistake,
      transactionIdleMsMax,
      isSameDatabase: (await readInstallation(pooler.pool)) === (await readInstallation(direct)),
    };
  } finally {
    await pooler.close();
  }
}

async function checkInfo({ pool }: Database, isQueueHere: boolean): Promise<readonly Finding[]> {
  const needed = connectionsOfProcess + (isQueueHere ? connectionsOfQueue : 0);
  const evaluateAll = (info: ServerInfo) => [
    ...evaluateServer(info),
    ...evaluateDurability(info),
    evaluateConnections(info, needed),
    ...evaluateCleaning(info),
  ];
  return [
    ...(await examine('Postgres settings', async () => evaluateAll(await readServerInfo(pool)))),
    ...(await examine('encoding', async () => evaluateLocale(await readLocaleInfo(pool)))),
  ];
}

async function examineBuild({ readBuild }: PostgresAddress, { pool }: Database): Promise<readonly Finding[]> {
  if (readBuild === null) return [];
  const hasLogins = await hasAccountLogins(pool).catch(() => false);
  return examine('libraries of Postgres', async () =>
    evaluateBuild({ ...(await readBuild()), hasLogins, platform: process.platform }),
  );
}

function examineBackups({ pool }: Database, { kind, server }: PostgresAddress): Promise<readonly Finding[]> {
  return examine('backups', async () => {
    const spool = server === null ? null : await readSpool(server.dataFolder);
    return [evaluateBackups({ ...(await readBackupInfo(pool)), spool }, kind)];
  });
}

async function examineSchema(
  { pool }: Database,
  isPrivate: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly isMigrated: boolean }> {
  let isMigrated = false;
  const findings = await examine('migrations', async () => {
    try {
      const pending = await countPendingMigrations(pool, schemaFolder);
      isMigrated = pending === 0;
      return [evaluateMigrations({ pending, foreign: null, isPrivate })];
    } catch (error) {
      if (!(error instanceof Misconfigured)) throw error;
      return [evaluateMigrations({ pending: 0, foreign: errorMessage(error), isPrivate })];
    }
  });
  return { findings, isMigrated };
}

/** Checks the queue on Postgres. Its schema comes with the migrations. */
function examineQueue({ pool }: Database, isMigrated: boolean): Promise<readonly Finding[]> {
  return examine('queue', async () =>
    isMigrated ? evaluatePostgresQueue(await readQueueInfo(pool)) : [beforeMigrations('queue')],
  );
}

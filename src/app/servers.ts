import { assertPooledLogin } from '../../db/logins/pooled-login.ts';
import { countPendingMigrations, migrate } from '../../db/migrate.ts';
import {
  openDatabase,
  withClient,
  withDatabase,
  type Database,
  type DatabaseOptions,
} from '../../db/connection/client.ts';
import { assertOwnSession } from '../../db/connection/pooled-session.ts';
import type { Redis } from 'ioredis';
import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { Misconfigured } from '../core/errors.ts';
import { reachRedis } from '../queue/reach-redis.ts';
import { findPostgres, type PostgresAddress } from '../postgres-server/find-servers.ts';
import { logLosses, type Logger } from '../log.ts';
import { schemaFolder } from '../package-root.ts';
import type { QueueConnection } from '../queue/connection.ts';
import { once } from '../core/async/once.ts';
import { openReaders, type Readers } from './readers/open-readers.ts';
import type { BoardQueue } from '../queue/board-queues.ts';
import type { ChunkQueue } from '../queue/chunk-queue.ts';
import type { InboxQueue } from '../queue/inbox-queue.ts';
import type { RecheckQueue } from '../queue/recheck-queue.ts';
import type { TickQueue } from '../queue/tick-queue.ts';

/** Connections of this process. */
export interface Servers extends Readers {
  readonly postgres: PostgresAddress;
  /** Pool in the role of the application, with an up-to-date schema. */
  readonly database: Database;
  /** Pool as `database`, for the statements of single requests. */
  readonly requestDatabase: Database;
  /** Pool for work that needs a session for longer than a transaction. It is `database`, unless that leads to a pooler. */
  readonly sessions: Database;
  /** Null when the queue and the rate limits are on Postgres. */
  readonly redis: Redis | null;
  /** Queue, opened on first use: most commands need none. */
  readonly queue: () => Promise<OpenQueue>;
  /** All queues for the operator's board, opened on first use. */
  readonly boardQueues: () => Promise<readonly BoardQueue[]>;
}

/** Open queues with their connection. */
export interface OpenQueue {
  readonly connection: QueueConnection;
  readonly chunks: ChunkQueue;
  readonly rechecks: RecheckQueue;
  readonly ticks: TickQueue;
  readonly inboxes: InboxQueue;
}

/** Options for opening the servers. */
export interface ServerOptions {
  readonly closers: Closers;
  readonly log: Logger;
  /** Called with a progress message while servers start and schemas change. */
  readonly onProgress: (message: string) => void;
  /** False for work on existing data: a home without a private server is then an error. Default true. */
  readonly mayCreate?: boolean;
}

/**
 * Connects to the configured servers, and starts the private one if none is configured.
 *
 * @throws Misconfigured | DatabaseUnavailable
 */
export async function openServers(
  config: Config,
  { closers, log, onProgress, mayCreate = true }: ServerOptions,
): Promise<Servers> {
  const onIdleError = logLosses(log, 'database connection lost');
  const onQueueError = (error: Error) => log.warn({ err: error }, 'queue error');
  const postgres = await findPostgres(config, { onProgress, mayCreate });
  const { appUrl: url, directUrl, isPooled } = postgres;
  const app = { url, isPooled, role: 'nightshift_app' } as const;
  const database = openPool({ ...app, connectionsMax: 20 });
  await bringUpToDate(database, postgres, onProgress);
  if (isPooled) await assertPooledLogin(database.pool);
  else if (postgres.kind === 'given') await withDatabase(() => withClient(database.pool, assertOwnSession));
  const requestDatabase = openPool({ ...app, connectionsMax: 10, isForRequests: true });
  const sessions = isPooled
    ? openPool({ url: directUrl, isDirect: true, role: 'nightshift_app', connectionsMax: 20 })
    : database;
  const readers = openReaders(postgres, { openPool, primary: database.sql, log });
  const redis = config.redisUrl === null ? null : await connectRedis(config.redisUrl);
  // Only one pool, however often the queue cannot be opened.
  const postgresQueue = once(queueOnPostgres);
  const queue = once(openQueue);

  function openPool(
    options: Pick<
      DatabaseOptions,
      'url' | 'isPooled' | 'isDirect' | 'role' | 'connectionsMax' | 'searchPath' | 'isForRequests'
    >,
  ): Database {
    const common = { name: 'nightshift', onIdleError, transactionIdleMsMax: config.leaseMs };
    return closers.add(openDatabase({ ...options, ...common }), (pool) => pool.close());
  }

  // The drivers of the queue take half of the load time, and most commands need none of them.
  async function connectRedis(url: string): Promise<Redis> {
    const { openRedis } = await import('../queue/open-redis.ts');
    return closers.add(openRedis(url, onQueueError), (client) => client.disconnect());
  }

  async function openQueue(): Promise<OpenQueue> {
    const { openChunkQueue } = await import('../queue/chunk-queue.ts');
    const { openInboxQueue } = await import('../queue/inbox-queue.ts');
    const { openRecheckQueue } = await import('../queue/recheck-queue.ts');
    const { openTickQueue } = await import('../queue/tick-queue.ts');
    if (redis !== null) await reachRedis(redis);
    const connection = redis === null ? await postgresQueue() : queueOnRedis(redis, config.queuePrefix);
    const reporting = { onError: onQueueError };
    const chunks = await openChunkQueue(connection, reporting);
    closers.add(chunks, (opened) => opened.close());
    const rechecks = await openRecheckQueue(connection, reporting);
    closers.add(rechecks, (opened) => opened.close());
    const ticks = await openTickQueue(connection, reporting);
    closers.add(ticks, (opened) => opened.close());
    const inboxes = await openInboxQueue(connection, reporting);
    closers.add(inboxes, (opened) => opened.close());
    return { connection, chunks, rechecks, ticks, inboxes };
  }

  async function openBoard(): Promise<readonly BoardQueue[]> {
    const { openBoardQueues } = await import('../queue/board-queues.ts');
    const { connection } = await queue();
    const board = await openBoardQueues(connection, { onError: onQueueError });
    return closers.add(board, (opened) => opened.close()).queues;
  }

  /** Opens a separate pool: names of BullMQ are unqualified, and each worker listens on its own connection. */
  async function queueOnPostgres(): Promise<QueueConnection> {
    const { postgresConnection } = await import('../queue/connection.ts');
    const { pool } = openPool({
      url: directUrl,
      isDirect: isPooled,
      role: 'nightshift_app',
      connectionsMax: 30,
      searchPath: 'bullmq',
    });
    return postgresConnection(pool);
  }

  return {
    postgres,
    database,
    requestDatabase,
    sessions,
    ...readers,
    redis,
    queue,
    boardQueues: once(openBoard),
  };
}

function queueOnRedis(client: Redis, prefix: string): QueueConnection {
  return { kind: 'redis', client, prefix };
}

/** Applies pending migrations on the private server. On a given server, the operator runs `nightshift migrate`. */
async function bringUpToDate(
  database: Database,
  { kind, ownerUrl }: PostgresAddress,
  onProgress: (message: string) => void,
): Promise<void> {
  const pending = await countPendingMigrations(database.pool, schemaFolder);
  if (pending === 0) return;
  if (kind === 'given') {
    throw new Misconfigured(
      `The database of DATABASE_URL has ${pending} pending migrations. Run \`nightshift migrate\` first.`,
    );
  }
  onProgress('Preparing the database');
  await migrate(ownerUrl, schemaFolder, (reason) => onProgress(`Waiting: ${reason}`), onProgress);
}

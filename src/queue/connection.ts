import { EventEmitter } from 'node:events';
import {
  createPostgresBackend,
  isPgPool,
  Queue,
  runMigrations,
  Worker,
  type PgPool,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import { queueJob } from '../core/work/retry-policies.ts';

/**
 * Connection of BullMQ. Both kinds use constructed clients, because the ESM build of BullMQ cannot load the drivers. Sessions of the pool
 * have the schema `bullmq` as their search path.
 */
export type QueueConnection =
  | { readonly kind: 'postgres'; readonly pool: PgPool }
  | { readonly kind: 'redis'; readonly client: Redis; readonly prefix: string };

/** Creates a connection from a pool of `pg`, whose types differ from those of BullMQ. */
export function postgresConnection(pool: unknown): QueueConnection {
  if (!isPgPool(pool)) throw new TypeError('The queue on Postgres requires a pool of pg.');
  // Every queue and every worker adds an error listener.
  if (pool instanceof EventEmitter) pool.setMaxListeners(0);
  return { kind: 'postgres', pool };
}

/** Creates or migrates the tables of the queue on Postgres. Several processes can do so at once. */
export async function prepareQueue(connection: QueueConnection): Promise<void> {
  if (connection.kind === 'redis') return;
  const client = await connection.pool.connect();
  try {
    await runMigrations(client);
    await client.query(notifySafely);
  } finally {
    client.release();
  }
}

/**
 * Keeps functions of BullMQ from failing when the notification queue of the server is full: they call a `pg_notify` of the
 * schema, which does nothing while the queue is more than half full. Workers poll for jobs as well (`createPollingBackend`). Idempotent, and
 * safe from several processes at once.
 */
const notifySafely = `DO $do$
  DECLARE
    v_function regprocedure;
  BEGIN
    LOCK TABLE bullmq.migration IN SHARE ROW EXCLUSIVE MODE;
    IF to_regprocedure('bullmq.pg_notify(text, text)') IS NULL THEN
      CREATE FUNCTION bullmq.pg_notify(text, text) RETURNS void LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.pg_notify($1, $2) WHERE pg_catalog.pg_notification_queue_usage() < 0.5';
    END IF;
    FOR v_function IN SELECT p.oid FROM pg_catalog.pg_proc p
      WHERE p.pronamespace = 'bullmq'::regnamespace AND p.proname <> 'pg_notify' AND p.prosrc LIKE '%pg_notify(%'
        AND p.proconfig @> ARRAY['search_path=bullmq, pg_catalog'] IS NOT TRUE
    LOOP
      EXECUTE format('ALTER ROUTINE %s SET search_path = bullmq, pg_catalog', v_function);
    END LOOP;
  END $do$`;

/** Creates a BullMQ queue on either backend. `changes` override the common options. */
export function createQueue(
  name: string,
  connection: QueueConnection,
  changes: Pick<QueueOptions, 'defaultJobOptions' | 'settings'> = {},
): Queue {
  const options = {
    defaultJobOptions: {
      attempts: queueJob.attemptsMax,
      removeOnComplete: true,
      removeOnFail: { count: 1000 },
    },
    ...changes,
  };
  if (connection.kind === 'postgres') {
    return new Queue(
      name,
      { ...options, connection: connection.pool },
      createPostgresBackend,
    ) as unknown as Queue;
  }
  const redis: QueueOptions = { ...options, connection: connection.client, prefix: connection.prefix };
  return new Queue(name, redis);
}

/** Time for which a worker waits for a notification before it asks for jobs; seconds. It is that of BullMQ on Redis. */
const pollSeconds = 10;

/**
 * Creates the backend of a worker on Postgres, which polls. BullMQ would wait for the next delayed job for up to an hour, but a notification can be
 * lost: the notification queue is full, or the connection that listens leads to a server that was replaced.
 */
const createPollingBackend: typeof createPostgresBackend = (...args) =>
  Object.defineProperty(createPostgresBackend(...args), 'maximumBlockTimeout', { value: pollSeconds });

/** Creates a BullMQ worker on either backend. */
export function createWorker(
  name: string,
  processor: Processor,
  connection: QueueConnection,
  options: Omit<WorkerOptions, 'connection' | 'prefix'>,
): Worker {
  if (connection.kind === 'postgres') {
    const settings = { ...options, connection: connection.pool };
    return new Worker(name, processor, settings, createPollingBackend) as unknown as Worker;
  }
  return new Worker(name, processor, {
    ...options,
    connection: connection.client,
    prefix: connection.prefix,
  });
}

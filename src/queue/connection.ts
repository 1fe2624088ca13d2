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
 * Connection of BullMQ. Both take constructed clients: BullMQ's ESM build cannot load the drivers by itself. The sessions of the pool have
 * the schema `bullmq` as their search path.
 */
export type QueueConnection =
  | { readonly kind: 'postgres'; readonly pool: PgPool }
  | { readonly kind: 'redis'; readonly client: Redis; readonly prefix: string };

/** The connection over a pool of `pg`, whose own types and BullMQ's say the same in different words. */
export function postgresConnection(pool: unknown): QueueConnection {
  if (!isPgPool(pool)) throw new TypeError('The queue on Postgres needs a pool of pg.');
  // Every queue and every worker listens to its errors.
  if (pool instanceof EventEmitter) pool.setMaxListeners(0);
  return { kind: 'postgres', pool };
}

/** Makes the queue's own tables on Postgres, or brings them up to date; several processes at once all succeed. */
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
 * Keeps BullMQ's functions from failing where the server's queue of notifications is full: they find a `pg_notify` of the schema's own ahead of
 * that of Postgres, and it is silent while the queue is half full. Workers look for jobs by themselves as well. Safe at any time, any number
 * of times; several processes at once take turns.
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

/** A BullMQ queue on either backend; `changes` to what all queues are told. */
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

/** A BullMQ worker on either backend. */
export function createWorker(
  name: string,
  processor: Processor,
  connection: QueueConnection,
  options: Omit<WorkerOptions, 'connection' | 'prefix'>,
): Worker {
  if (connection.kind === 'postgres') {
    const settings = { ...options, connection: connection.pool };
    return new Worker(name, processor, settings, createPostgresBackend) as unknown as Worker;
  }
  return new Worker(name, processor, {
    ...options,
    connection: connection.client,
    prefix: connection.prefix,
  });
}

import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { postgresConnection, type QueueConnection } from '../../../src/queue/connection.ts';
import { openChunkQueue, type ChunkQueue } from '../../../src/queue/chunk-queue.ts';
import type { Backend } from './backends.ts';
import { openTestPool, type TestDatabase } from '../db/database.ts';

/** Creates a database and the product's queue on a backend; the end of the test removes both. */
export async function openQueueOn(
  backend: Backend,
): Promise<{ database: TestDatabase; connection: QueueConnection; queue: ChunkQueue }> {
  const { database, environment } = await backend.open();
  const connection = connect(database, new Map(Object.entries(environment)));
  const queue = await openChunkQueue(connection, { onError: () => undefined });
  onTestFinished(() => queue.close());
  return { database, connection, queue };
}

function connect(database: TestDatabase, environment: ReadonlyMap<string, string>): QueueConnection {
  const redisUrl = environment.get('REDIS_URL');
  if (redisUrl === undefined) return connectToPostgres(database);
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null });
  onTestFinished(() => client.disconnect());
  return { kind: 'redis', client, prefix: environment.get('NIGHTSHIFT_QUEUE_PREFIX') ?? '{test}' };
}

function connectToPostgres({ url }: TestDatabase): QueueConnection {
  return postgresConnection(openTestPool(url, { searchPath: 'bullmq' }).pool);
}

import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Closers } from '../../src/closers.ts';
import {
  createQueue,
  createWorker,
  postgresConnection,
  prepareQueue,
  type QueueConnection,
} from '../../src/queue/connection.ts';
import { withClient } from '../support/bench-server.ts';

const leadMs = 20_000;
const waitMsMax = 300_000;

/**
 * Measures the minimum: BullMQ's own job schedulers, due in the same minute, and one worker that records each tick. Returns the
 * delays in milliseconds.
 */
export async function tickBare(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string | null },
  { name, schedules }: { readonly name: string; readonly schedules: number },
  closers: Closers,
): Promise<readonly number[]> {
  const connection = await openConnection(databaseUrl, redisUrl, { name, closers });
  await prepareQueue(connection);
  const queue = createQueue(`bare-${name}`, connection);
  closers.add(queue, (opened) => opened.close());
  const due = Math.ceil((Date.now() + leadMs) / 60_000) * 60_000;
  const pattern = `${new Date(due).getUTCMinutes()} ${new Date(due).getUTCHours()} * * *`;
  for (let n = 0; n < schedules; n++)
    await queue.upsertJobScheduler(`bare-${n}`, { pattern, tz: 'UTC' }, { name: 'tick', data: {} });
  const late: number[] = [];
  const note = async () => void late.push(Date.now() - due);
  const worker = createWorker(`bare-${name}`, note, connection, { concurrency: 16 });
  closers.add(worker, (opened) => opened.close());
  const untilMs = performance.now() + waitMsMax;
  while (late.length < schedules) {
    if (performance.now() > untilMs) throw new Error(`Of ${schedules} bare ticks ${late.length} came.`);
    await wait(100);
  }
  await worker.close();
  await queue.obliterate({ force: true });
  return late;
}

/** On Postgres, in a separate database: the product's queue belongs to another role. */
async function openConnection(
  databaseUrl: string,
  redisUrl: string | null,
  { name, closers }: { readonly name: string; readonly closers: Closers },
): Promise<QueueConnection> {
  if (redisUrl !== null) {
    const client = new Redis(redisUrl, { maxRetriesPerRequest: null });
    closers.add(client, (opened) => void opened.disconnect());
    return { kind: 'redis', client, prefix: `{bare-${name}}` };
  }
  const url = new URL(databaseUrl);
  url.pathname = `/bare_${name.replaceAll('-', '_')}`;
  await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE ${url.pathname.slice(1)}`));
  const pool = new pg.Pool({ connectionString: url.href, max: 12, options: '-c search_path=bullmq' });
  closers.add(pool, (opened) => opened.end());
  return postgresConnection(pool);
}

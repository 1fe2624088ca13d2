// BullMQ: a job for each company, added in bulk; `size` jobs run at a time, each with one transaction.
import { Redis } from 'ioredis';
import {
  createQueue,
  createWorker,
  postgresConnection,
  prepareQueue,
} from '../../../src/queue/connection.ts';
import { commitOf, countdown, openPool, serve, slicesOf } from './serve.js';

const addedAtOnce = 1000;

serve(async ({ databaseUrl, redisUrl, size, answer }) => {
  const pool = openPool(databaseUrl, size);
  const connection =
    redisUrl === null
      ? postgresConnection(openPool(databaseUrl, size, '-c search_path=bullmq'))
      : { kind: 'redis', client: new Redis(redisUrl, { maxRetriesPerRequest: null }), prefix: '{peers}' };
  await prepareQueue(connection);
  const queue = createQueue('companies', connection);
  let work;
  const worker = createWorker(
    'companies',
    async ({ data }) => void (await pool.query(commitOf(answer([data])))),
    connection,
    { concurrency: size, removeOnComplete: { count: 0 } },
  );
  worker.on('completed', () => work.done());
  worker.on('failed', (_, error) => process.stderr.write(`${error.stack}\n`));
  worker.on('error', () => undefined);
  return {
    run: async (companies) => {
      work = countdown(companies.length);
      for (const slice of slicesOf(companies, addedAtOnce))
        await queue.addBulk(slice.map((data) => ({ name: 'company', data })));
      await work.empty;
    },
  };
});

import { PostgresQueueBackend } from 'bullmq';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createQueue,
  createWorker,
  postgresConnection,
  prepareQueue,
} from '../../../src/queue/connection.ts';
import { openTestDatabase, openTestPool } from '../../support/db/database.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const hourMs = 3_600_000;

test('a worker on Postgres gets a job whose notification was lost, though another job is due much later', async () => {
  const database = await openTestDatabase();
  const connection = postgresConnection(openTestPool(database.url, { searchPath: 'bullmq' }).pool);
  await prepareQueue(connection);
  const queue = createQueue('work', connection);
  onTestFinished(() => queue.close());
  const done: string[] = [];
  const waits = vi.spyOn(PostgresQueueBackend.prototype, 'waitForJob');
  onTestFinished(() => waits.mockRestore());
  const worker = createWorker('work', async ({ name }) => void done.push(name), connection, {});
  worker.on('error', () => undefined);
  onTestFinished(() => worker.close());
  await queue.add('late', {}, { delay: hourMs });
  await queue.add('first', {});
  await vi.waitUntil(() => done.includes('first'), { timeout: waitMsMax });
  const before = waits.mock.calls.length;
  await vi.waitUntil(() => waits.mock.calls.length > before, { timeout: waitMsMax });

  await database.owner.sql.execute(
    sql`CREATE OR REPLACE FUNCTION bullmq.pg_notify(text, text) RETURNS void LANGUAGE sql VOLATILE AS 'SELECT'`,
  );
  await queue.add('unannounced', {});
  await vi.waitUntil(() => done.includes('unannounced'), { timeout: waitMsMax });
  expect(done).toEqual(['first', 'unannounced']);
});

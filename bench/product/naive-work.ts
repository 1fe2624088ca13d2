import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type pg from 'pg';
import { nameKeys } from '../../src/core/companies/name-keys.ts';
import { createQueue, createWorker, prepareQueue, type QueueConnection } from '../../src/queue/connection.ts';
import { commitCompany, finishBatch, type CompanyJob } from './naive-sql.ts';

export interface NaiveWork {
  readonly pool: pg.Pool;
  readonly connection: QueueConnection;
  readonly accountId: number;
  readonly batchId: number;
  /** Number of concurrent jobs, each with its own connection. */
  readonly concurrency: number;
}

/** Creates a job for every company of a batch, and works until all of them are done. */
export async function workNaively(work: NaiveWork): Promise<void> {
  const { pool, connection, batchId } = work;
  await prepareQueue(connection);
  const name = `naive-${randomUUID()}`;
  const queue = createQueue(name, connection);
  const jobs = await listJobs(pool, batchId);
  const done = startWorker(name, work, jobs);
  try {
    for (let from = 0; from < jobs.length; from += 1000)
      await queue.addBulk(jobs.slice(from, from + 1000).map((data) => ({ name: 'company', data })));
    await done.finished;
  } finally {
    await done.close();
    await queue.close();
  }
  await finishBatch(pool, batchId);
}

async function listJobs(pool: pg.Pool, batchId: number): Promise<readonly CompanyJob[]> {
  const lookups = await pool.query<{ id: string; key: string; domain: string | null; name: string }>(
    `SELECT id, subject_key AS key, company_domain AS domain, company_name AS name FROM nightshift.open_lookups
    WHERE batch_id = $1 ORDER BY id`,
    [batchId],
  );
  return lookups.rows.map(({ id, key, domain, name }) => ({
    lookupId: id,
    batchId,
    subjectKey: key,
    domain,
    name,
    nameKey: nameKeys(name)[0] ?? '',
  }));
}

/** Processes the jobs; `finished` resolves with the last of them and rejects with the first that fails. */
function startWorker(name: string, work: NaiveWork, jobs: readonly CompanyJob[]) {
  const { pool, connection, accountId, concurrency } = work;
  const ends = new EventEmitter();
  const finished = once(ends, 'finished');
  let left = jobs.length;
  const worker = createWorker(
    name,
    async ({ data }) => {
      await commitCompany(pool, accountId, parseJob(data));
      left -= 1;
      if (left === 0) ends.emit('finished');
    },
    connection,
    { concurrency, removeOnComplete: { count: 0 } },
  );
  worker.on('failed', (_, error) => ends.emit('error', error));
  worker.on('error', () => undefined);
  return { finished, close: () => worker.close() };
}

function parseJob(data: unknown): CompanyJob {
  return data as CompanyJob;
}

import { sql, type SQL } from 'drizzle-orm';
import { vi } from 'vitest';
import type { TestDatabase } from '../db/database.ts';
import { faultWaitMsMax } from '../wait-bound.ts';

/** Number of lookups with an outcome. */
export function countDone(database: TestDatabase): Promise<number> {
  return count(database, sql`nightshift.lookups WHERE outcome IS NOT NULL`);
}

/** Number of chunks that a worker still claims although its lease has expired. */
export function countExpiredLeases(database: TestDatabase): Promise<number> {
  return count(database, sql`nightshift.chunks WHERE state = 'running' AND lease_until < now()`);
}

/** Abandoned companies: dead letters, in doubt if a call was open when the last of their workers died. */
export async function listDeadLetters({ owner }: TestDatabase): Promise<readonly string[]> {
  const ended = await owner.sql.execute<{ company: string }>(
    sql`SELECT coalesce(company_domain, company_name) AS company FROM nightshift.all_lookups WHERE reason IN ('dead_letter', 'in_doubt')`,
  );
  return ended.rows.map(({ company }) => company);
}

/** Jobs that the queue should contain, by chunk and generation. */
export async function listQueued({ owner }: TestDatabase): Promise<readonly string[]> {
  const queued = await owner.sql.execute<{ job: string }>(
    sql`SELECT format('%s-%s', id, generation) AS job FROM nightshift.chunks WHERE state = 'queued' AND queued_at IS NOT NULL`,
  );
  return queued.rows.map(({ job }) => job);
}

/** Resolves when this many more lookups have an outcome. @throws Error after `faultWaitMsMax` */
export async function untilMoreDone(database: TestDatabase, more: number): Promise<void> {
  const before = await countDone(database);
  await vi.waitFor(
    async () => {
      const done = (await countDone(database)) - before;
      if (done < more) throw new Error(`${done} lookups are done, of ${more} waited for.`);
    },
    { timeout: faultWaitMsMax, interval: 100 },
  );
}

async function count({ owner }: TestDatabase, what: SQL): Promise<number> {
  const counted = await owner.sql.execute<{ n: number }>(sql`SELECT count(*)::integer AS n FROM ${what}`);
  return counted.rows[0]?.n ?? 0;
}

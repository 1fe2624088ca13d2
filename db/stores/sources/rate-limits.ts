import { sql } from 'drizzle-orm';
import type { RateLimitStore } from '../../../src/core/sources/rate-limiter.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** The token buckets on Postgres, by its clock; see `take_slots` in `db/sql/rate-limits.sql`. */
export function createPostgresRateLimitStore(db: Sql): RateLimitStore {
  return {
    take: (bucket, { intervalMs, waitMsMax, count }) =>
      withDatabase(async () => {
        const result = await db.execute<{
          taken: number;
          wait_us: string;
          interval_us: string;
          now_us: string;
        }>(
          sql`SELECT taken, wait_us, interval_us, now_us FROM nightshift.take_slots(${bucket}, ${Math.round(intervalMs * 1000)},
            ${Math.round(waitMsMax * 1000)}, ${count})`,
        );
        const [row] = result.rows;
        if (row === undefined) throw new Error('Slots were asked for and not answered.');
        return {
          taken: row.taken,
          waitMs: Number(row.wait_us) / 1000,
          intervalMs: Number(row.interval_us) / 1000,
          bookMs: Number(row.now_us) / 1000,
        };
      }),
    delay: (bucket, delayMs) =>
      withDatabase(async () => {
        await db.execute(sql`SELECT nightshift.delay_slots(${bucket}, ${Math.round(delayMs * 1000)})`);
      }),
    learn: (bucket, intervalMs) =>
      withDatabase(async () => {
        await db.execute(sql`SELECT nightshift.learn_interval(${bucket}, ${Math.round(intervalMs * 1000)})`);
      }),
  };
}

import { sql } from 'drizzle-orm';
import type { SlotBook } from '../../src/core/ads/pace.ts';
import { withDatabase, type Sql } from '../client.ts';

/** The token buckets on Postgres, by its clock; see `take_slots` in `db/migrations/0002_store.sql`. */
export function createPostgresSlotBook(db: Sql): SlotBook {
  return {
    take: (bucket, { intervalMs, waitMsMax, count }) =>
      withDatabase(async () => {
        const result = await db.execute<{ taken: number; wait_us: string }>(
          sql`SELECT taken, wait_us FROM nightshift.take_slots(${bucket}, ${Math.round(intervalMs * 1000)},
            ${Math.round(waitMsMax * 1000)}, ${count})`,
        );
        const [row] = result.rows;
        return { taken: row?.taken ?? 0, waitMs: Number(row?.wait_us ?? 0) / 1000 };
      }),
    delay: (bucket, delayMs) =>
      withDatabase(async () => {
        await db.execute(sql`SELECT nightshift.delay_slots(${bucket}, ${Math.round(delayMs * 1000)})`);
      }),
  };
}

import { sql } from 'drizzle-orm';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type { Throttle } from '../../../src/core/work/wait-cause.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/**
 * Stores why the calls to a source are delayed. A delay that lasts is kept if it ends later, and if it has a reason that the new one lacks:
 * the configured pace also waits for the end of a rate limit.
 */
export async function writeThrottle(
  db: Sql,
  { name, bucket }: CalledSource,
  { cause, bound, reason, delayMs }: Throttle,
): Promise<void> {
  await withDatabase(() =>
    db.execute(
      sql`INSERT INTO nightshift.source_states AS s (bucket, source, throttled_until, throttle_cause, throttle_bound, throttle_reason)
        VALUES (${bucket}, ${name}, now() + ${delayMs} * interval '1 millisecond', ${cause}, ${bound}, ${reason})
        ON CONFLICT (bucket) DO UPDATE SET throttled_until = excluded.throttled_until, throttle_cause = excluded.throttle_cause,
          throttle_bound = excluded.throttle_bound, throttle_reason = excluded.throttle_reason
        WHERE coalesce(s.throttled_until <= now(), true)
          OR (excluded.throttled_until > s.throttled_until AND (excluded.throttle_reason IS NOT NULL OR s.throttle_reason IS NULL))`,
    ),
  );
}

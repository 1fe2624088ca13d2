import { waitCauseOf, type Wait } from '../../src/core/work/wait-cause.ts';
import type { Asked } from './server-info.ts';

/** A wait for a source, and the number of batches that it keeps; null for a delay that keeps calls, not batches. */
export interface SourceWait {
  readonly wait: Wait;
  readonly batches: number | null;
}

/** The present waits for sources: pauses and delays of each credential, and batches that a cap keeps, whose source is not known. */
export async function readSourceWaits(asked: Asked): Promise<readonly SourceWait[]> {
  const { rows } = await asked.query<{
    source: string | null;
    cause: string | null;
    kind: string | null;
    bound: string | null;
    reason: string | null;
    until: Date | null;
    batches: number | null;
  }>(
    `SELECT source, NULL AS cause, pause_kind AS kind, NULL AS bound, pause_reason AS reason, paused_until AS until, NULL::integer AS batches
      FROM nightshift.source_states WHERE paused_until > now()
    UNION ALL
    SELECT source, throttle_cause, NULL, throttle_bound, throttle_reason, throttled_until, NULL
      FROM nightshift.source_states WHERE throttled_until > now()
    UNION ALL
    SELECT NULL, wait_cause, wait_kind, wait_bound, state_reason, max(wait_until), count(*)::integer
      FROM nightshift.batches WHERE state = 'waiting_for_source' AND wait_kind = 'budget' GROUP BY 2, 3, 4, 5
    ORDER BY 1, 6`,
  );
  return rows.map(({ cause, kind, batches, ...rest }) => ({
    wait: { ...rest, cause: waitCauseOf(cause, kind) },
    batches,
  }));
}

/** The sources in the price book of the sources. */
export async function readPricedSources(asked: Asked): Promise<readonly string[]> {
  const { rows } = await asked.query<{ source: string }>(
    'SELECT DISTINCT source FROM nightshift.source_prices WHERE effective_from <= now() ORDER BY source',
  );
  return rows.map(({ source }) => source);
}

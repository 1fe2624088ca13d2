import { sql } from 'drizzle-orm';
import type { BatchState } from '../../../src/core/batches/batch.ts';
import { waitCauseOf, type Wait } from '../../../src/core/work/wait-cause.ts';

/** A delay of calls as `throttleSql` returns it. */
export interface ThrottleRow {
  readonly source: string;
  readonly cause: string;
  readonly bound: string | null;
  readonly reason: string | null;
  readonly until: string;
}

/** The longest delay of the calls to the sources of batch `b`. Null without one. */
export const throttleSql = sql`SELECT jsonb_build_object('source', s.source, 'cause', s.throttle_cause, 'bound', s.throttle_bound,
    'reason', s.throttle_reason, 'until', s.throttled_until)
  FROM nightshift.source_states s WHERE s.source = ANY (b.sources) AND s.throttled_until > now() ORDER BY s.throttled_until DESC LIMIT 1`;

interface WaitingRow {
  readonly state: BatchState;
  readonly state_reason: string | null;
  readonly wait_until: string | null;
  readonly wait_kind: string | null;
  readonly wait_cause: string | null;
  readonly wait_bound: string | null;
  readonly throttle: ThrottleRow | null;
}

/** Cause of the wait of a batch; null if it does not wait. A cause that this release does not know is a wait without one. */
export function waitOf({ state, throttle, state_reason: reason, ...row }: WaitingRow): Wait | null {
  if (throttle !== null) {
    const { cause, until, ...rest } = throttle;
    return { ...rest, cause: waitCauseOf(cause, null), until: new Date(until) };
  }
  if (state === 'waiting_for_credits')
    return { cause: 'credits', bound: null, source: null, reason, until: null };
  if (state !== 'waiting_for_source') return null;
  return {
    cause: waitCauseOf(row.wait_cause, row.wait_kind),
    bound: row.wait_bound,
    source: null,
    reason,
    until: row.wait_until === null ? null : new Date(row.wait_until),
  };
}

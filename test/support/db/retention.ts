import type { Retention } from '../../../src/core/purge/purge-kinds.ts';

/** Retention without limits, except for `times`, in milliseconds. */
export function keptFor(times: Partial<Retention>): Retention {
  return {
    batches: null,
    addresses: null,
    searches: null,
    scans: null,
    calls: null,
    raw_responses: null,
    events: null,
    ...times,
  };
}

/** Retention of raw responses of live sources for this many milliseconds; no other limits. */
export function repliesFor(rawResponses: number): Retention {
  return keptFor({ raw_responses: rawResponses });
}

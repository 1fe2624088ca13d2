import type { Retention } from '../../../src/core/purge/purge-kinds.ts';

/** Everything is kept for ever, except where `times` says otherwise; milliseconds. */
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

/** Replies of live sources are kept for so many milliseconds, everything else for ever. */
export function repliesFor(rawResponses: number): Retention {
  return keptFor({ raw_responses: rawResponses });
}

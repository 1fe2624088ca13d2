import type { SourceLimits } from '../../../src/core/sources/source-call.ts';

/** Limits of a source that never apply. */
export const noLimits: Omit<SourceLimits, 'deadlineMs'> = {
  pace: null,
  concurrency: null,
  callsPerDay: null,
};

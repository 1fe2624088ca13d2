import type { SourceLimits } from '../../../src/core/sources/source-call.ts';

/** Whatever the holder of a credential pleases. */
export const noLimits: Omit<SourceLimits, 'deadlineMs'> = {
  pace: null,
  concurrency: null,
  callsPerDay: null,
};

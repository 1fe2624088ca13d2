import type { SourceLines } from '../../../src/core/sources/pace/source-line.ts';

/** Lines in which no call waits for others. */
export const openLines: SourceLines = {
  withRoom: (_, call) => call(),
  inTurn: (_, begin) => begin(),
};

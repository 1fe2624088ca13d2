import type { OpenLookup } from '../../work/claim.ts';
import type { CalledSource } from '../ad-source.ts';
import { callerOf, type CallOptions } from '../call-options.ts';

/** The line of a lookup's calls at a source. */
export interface LookupLine {
  /** `SourceLines.withRoom` */
  readonly withRoom: <T>(call: () => Promise<T>) => Promise<T>;
  /** `SourceLines.inTurn` */
  readonly inTurn: <T>(begin: () => Promise<T | null>) => Promise<T | null>;
}

/** Opens the line of a lookup; without lines, its calls wait for no others of the process. */
export function openLookupLine(
  source: CalledSource,
  { earlier }: OpenLookup,
  options: CallOptions,
): LookupLine {
  if (options.line === undefined) return withoutLine;
  const { lines, share } = options.line;
  const accountCallsMax = callerOf(source, options).limits?.concurrency ?? null;
  const entry = { source, share, accountCallsMax, signal: options.lease.turnSignal };
  let isFirst = !earlier.some((call) => call.source === source.name);
  return {
    withRoom: (call) => lines.withRoom(entry, call),
    inTurn: async (begin) => {
      const begun = await lines.inTurn({ ...entry, isFirst }, begin);
      if (begun !== null) isFirst = false;
      return begun;
    },
  };
}

const withoutLine: LookupLine = { withRoom: (call) => call(), inTurn: (begin) => begin() };

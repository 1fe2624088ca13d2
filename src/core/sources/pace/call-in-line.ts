import type { CalledSource } from '../ad-source.ts';
import { callerOf, type CallOptions } from '../call-options.ts';
import type { LineEntry, SourceLines } from './source-line.ts';

/** A call with its line; without one, it waits for no other call of the process. */
export interface CallInLine extends LineEntry {
  readonly lines: SourceLines | null;
}

/** @param isFirst `LineEntry.isFirst` */
export function enterLine(source: CalledSource, options: CallOptions, isFirst: boolean): CallInLine {
  const { line, lease } = options;
  const { accountId, limits } = callerOf(source, options);
  return {
    source,
    lines: line?.lines ?? null,
    share: line?.share ?? { accountId, weight: 1, batchId: null },
    accountCallsMax: limits?.concurrency ?? null,
    isFirst,
    signal: lease.turnSignal,
  };
}

/** `SourceLines.withRoom` */
export function withRoom<T>(entry: CallInLine, call: () => Promise<T>): Promise<T> {
  return entry.lines === null ? call() : entry.lines.withRoom(entry, call);
}

/** `SourceLines.inTurn` */
export function inTurn<T>(entry: CallInLine, begin: () => Promise<T | null>): Promise<T | null> {
  return entry.lines === null ? begin() : entry.lines.inTurn(entry, begin);
}

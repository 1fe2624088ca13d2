import { abortReason, onAbort } from '../../async/race-abort.ts';
import { SourceThrottled } from '../../errors.ts';
import type { CalledSource } from '../ad-source.ts';
import { intervalMsOf } from '../source-call.ts';
import type { Gate } from '../rate-limiter.ts';
import { createFairQueue, type Share } from './fair-queue.ts';

/** Line of a process in which calls of batches wait for their sources. */
export interface SourceLines {
  /** Admits a call, until it ends, when the account has room for one more in this process. */
  readonly withRoom: <T>(entry: AccountEntry, call: () => Promise<T>) => Promise<T>;
  /**
   * Begins a call when it is next: `begin` waits for its slot and records it. With null, it could not begin, and does not count as served.
   *
   * @throws LineFull when the line is too long for a first call: others have the better right to a place. The signal's reason.
   */
  readonly inTurn: <T>(entry: LineEntry, begin: () => Promise<T | null>) => Promise<T | null>;
}

/** For whom a call is made. */
interface AccountEntry {
  readonly source: CalledSource;
  readonly share: Share;
  /** Calls that the account may have in flight at the source; null: no limit. */
  readonly accountCallsMax: number | null;
}

/** A call that waits for its turn. */
export interface LineEntry extends AccountEntry {
  /** False if the lookup has begun a call before: what was begun is ended first, and is not turned away. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

export interface SourceLineOptions {
  /** Maximum number of calls to a source that a process prepares at a time. */
  readonly preparedMax: number;
  /** Time for which the calls of a line may take at the rate of the source; milliseconds. */
  readonly lineMsMax: number;
  /** Creates a gate that admits this many callers at a time, in the order of their arrival. */
  readonly openGate: (placesMax: number) => Gate;
}

/** The line is too long: the call comes back later, and the lookup waits for this source. */
export class LineFull extends SourceThrottled {}

/**
 * Creates the lines of a process: one for each credential of a source, so that calls to a slow source wait apart from those to others, and before
 * it one for each account with a limit of calls in flight.
 *
 * Accounts share a line by their weights, and then their batches. When its calls take longer than `lineMsMax` at the rate of the source, the one
 * that would be made last is turned away: its chunk is rescheduled instead of holding a worker.
 */
export function createSourceLines({ preparedMax, lineMsMax, openGate }: SourceLineOptions): SourceLines {
  const ofSources = new Map<string, SourceLine>();
  const ofAccounts = new Map<string, Gate>();

  function lineAt({ bucket }: CalledSource): SourceLine {
    const line = ofSources.get(bucket) ?? openLine();
    ofSources.set(bucket, line);
    return line;
  }
  function accountGate({ share, source }: AccountEntry, placesMax: number): Gate {
    const key = `${share.accountId} ${placesMax} ${source.name}`;
    const gate = ofAccounts.get(key) ?? openGate(placesMax);
    ofAccounts.set(key, gate);
    return gate;
  }
  return {
    withRoom: (entry, call) =>
      entry.accountCallsMax === null ? call() : accountGate(entry, entry.accountCallsMax)(call),
    inTurn: (entry, begin) => {
      const { source } = entry;
      const callsMax = callsWithin(lineMsMax, source);
      const bounds = { callsMax, preparedMax: Math.min(preparedMax, callsWithin(aheadMs, source)) };
      return lineAt(source).enter(entry, bounds, begin);
    },
  };
}

/** Time for which calls are prepared ahead: recording one may take a part of it. Later ones wait in the order of their shares. */
const aheadMs = 2000;

/** Places for waiting calls where a single call takes longer than the line may: with none, calls would go to who comes at the right moment. */
const waitingMin = 2;

function callsWithin(durationMs: number, { limits: { pace } }: CalledSource): number {
  return pace === null ? Infinity : Math.max(Math.floor((durationMs / 1000) * pace.requestsPerSecond), 1);
}

interface LineBounds {
  /** Calls that the source allows within the longest line. */
  readonly callsMax: number;
  /** Maximum number of calls that wait for their slots. */
  readonly preparedMax: number;
}

interface Place {
  readonly start: () => void;
  readonly turnAway: () => void;
}

type SourceLine = ReturnType<typeof openLine>;

function openLine() {
  const waiting = createFairQueue<Place>();
  /** Calls of lookups that have begun one before. */
  const ahead = new Set<Place>();
  let prepared = 0;

  function takeNext(): Place | null {
    const [next] = ahead;
    if (next === undefined) return waiting.takeFirst();
    ahead.delete(next);
    return next;
  }
  function startSome({ preparedMax }: LineBounds): void {
    while (prepared < preparedMax) {
      const place = takeNext();
      if (place === null) return;
      prepared += 1;
      place.start();
    }
  }
  function turnSomeAway({ callsMax }: LineBounds): void {
    const placesMax = Math.max(callsMax - prepared - ahead.size, waitingMin);
    if (waiting.size() > placesMax) waiting.dropLast()?.turnAway();
  }
  /** Resolves when the call is next. */
  function untilNext({ source, share, isFirst, signal }: LineEntry, bounds: LineBounds): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const forget = onAbort(signal, () => {
        leave();
        reject(abortReason(signal));
      });
      const place = {
        start: () => {
          forget();
          if (!isFirst) waiting.charge(share);
          resolve();
        },
        turnAway: () => {
          forget();
          reject(lineFull(source, bounds));
        },
      };
      const leave = isFirst ? waiting.add(share, place) : goAhead(place);
      startSome(bounds);
      turnSomeAway(bounds);
    });
  }
  function goAhead(place: Place): () => void {
    ahead.add(place);
    return () => void ahead.delete(place);
  }
  return {
    enter: async <T>(
      entry: LineEntry,
      bounds: LineBounds,
      begin: () => Promise<T | null>,
    ): Promise<T | null> => {
      await untilNext(entry, bounds);
      let begun: T | null = null;
      try {
        begun = await begin();
        return begun;
      } finally {
        if (begun === null) waiting.refund(entry.share);
        prepared -= 1;
        startSome(bounds);
      }
    },
  };
}

/** The lookup comes back when half of the line has moved on: while its chunk is away, the line must not run empty. */
function lineFull({ name, limits }: CalledSource, { callsMax }: LineBounds): LineFull {
  const delayMs = Math.max(Math.floor(callsMax / 2), 1) * intervalMsOf(limits.pace);
  return new LineFull(`Too many lookups wait for the next calls to ${name}.`, { delayMs });
}

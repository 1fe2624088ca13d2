import type { OpenLookup } from '../../work/claim.ts';
import { SourceThrottled } from '../../errors.ts';
import type { CalledSource } from '../ad-source.ts';
import type { Gate } from '../rate-limiter.ts';
import { createFairQueue, type FairQueue, type Share } from './fair-queue.ts';

/**
 * Admits a lookup of a batch to a source. The work says when its first call begins: from then on it does not delay the next lookup. One that is turned
 * away, with `SourceThrottled`, is not started.
 */
export type SourceGate = <T>(work: (onCallBegins: () => void) => Promise<T>) => Promise<T>;

/** Returns the gate of a lookup of a batch at a source. */
export type GateOf = (entry: LineEntry) => SourceGate;

/** A lookup at a source, with the account and the batch for which it is made. */
export interface LineEntry {
  readonly source: CalledSource;
  readonly lookup: Pick<OpenLookup, 'repliesOnly'>;
  readonly share: Share;
  /** Calls that the account may have in flight at the source; null: no limit. */
  readonly accountCallsMax: number | null;
}

export interface SourceLineOptions {
  /** Maximum number of lookups that a process works on at a source at a time. */
  readonly lookupsMax: number;
  /** Maximum wait of a lookup in line; milliseconds. */
  readonly waitMsMax: number;
  /** Creates a gate that admits this many callers at a time, in the order of their arrival. */
  readonly openGate: (placesMax: number) => Gate;
}

/**
 * Creates the lines of a process: one for each credential of a source, so that lookups of a slow source wait apart from those of others, and before
 * it one for each account with a limit of calls in flight.
 *
 * Accounts share a line by their weights, and then their batches. When the calls of those in line take longer than `waitMsMax` at the rate of the
 * source, the one that would be served last is turned away: its chunk is rescheduled instead of holding a worker.
 */
export function createSourceLines({ lookupsMax, waitMsMax, openGate }: SourceLineOptions): GateOf {
  const ofSources = new Map<string, SourceLine>();
  const ofAccounts = new Map<string, Gate>();

  function lineAt({ bucket }: CalledSource): SourceLine {
    const line = ofSources.get(bucket) ?? openLine(openGate(lookupsMax));
    ofSources.set(bucket, line);
    return line;
  }
  function accountGate({ share, source }: LineEntry, placesMax: number): Gate {
    const key = `${share.accountId} ${placesMax} ${source.name}`;
    const gate = ofAccounts.get(key) ?? openGate(placesMax);
    ofAccounts.set(key, gate);
    return gate;
  }
  return (entry) => {
    const { source, lookup, share, accountCallsMax } = entry;
    const line = lineAt(source);
    // A lookup without calls delays no other.
    if (lookup.repliesOnly) return (work) => line.withoutCalls(() => work(() => undefined));
    const bounds = { lookupsMax, callsMax: callsWithin(waitMsMax, source), nextMax: nextAt(source) };
    const inLine: SourceGate = (work) => line.enter({ source, share, ...bounds }, work);
    if (accountCallsMax === null) return inLine;
    return (work) => accountGate(entry, accountCallsMax)(() => inLine(work));
  };
}

/** Time for which lookups are admitted ahead of their calls: recording a call may take a part of it. Later ones wait in the order of their shares. */
const aheadMs = 2000;

/** Lookups that may wait for their calls outside the order of shares. */
function nextAt(source: CalledSource): number {
  return Math.min(callsWithin(aheadMs, source), Math.max(source.limits.concurrency ?? Infinity, 1));
}

function callsWithin(durationMs: number, { limits: { pace } }: CalledSource): number {
  return pace === null ? Infinity : Math.max(Math.floor((durationMs / 1000) * pace.requestsPerSecond), 1);
}

interface Entering {
  readonly source: CalledSource;
  readonly share: Share;
  readonly lookupsMax: number;
  /** Calls that the source allows within the longest wait. */
  readonly callsMax: number;
  /** Maximum number of started lookups whose calls have not begun. */
  readonly nextMax: number;
}

interface SourceLine {
  readonly enter: <T>(entering: Entering, work: (onCallBegins: () => void) => Promise<T>) => Promise<T>;
  readonly withoutCalls: Gate;
}

interface Place {
  readonly start: () => void;
  readonly turnAway: () => void;
}

function openLine(withoutCalls: Gate): SourceLine {
  const waiting: FairQueue<Place> = createFairQueue();
  /** Started lookups, and those of them whose calls have not begun. */
  let [started, next] = [0, 0];

  function startSome({ lookupsMax, nextMax }: Entering): void {
    while (started < lookupsMax && next < nextMax) {
      const place = waiting.takeFirst();
      if (place === null) return;
      started += 1;
      next += 1;
      place.start();
    }
  }
  function untilStarted(entering: Entering): Promise<void> {
    return new Promise((resolve, reject) => {
      const turnAway = () => reject(tooLong(entering));
      waiting.add(entering.share, { start: resolve, turnAway });
      startSome(entering);
      if (waiting.size() + next > entering.callsMax) waiting.dropLast()?.turnAway();
    });
  }
  return {
    withoutCalls,
    enter: async (entering, work) => {
      await untilStarted(entering);
      let isNext = true;
      function onCallBegins(): void {
        if (!isNext) return;
        isNext = false;
        next -= 1;
        startSome(entering);
      }
      try {
        return await work(onCallBegins);
      } finally {
        started -= 1;
        onCallBegins();
        startSome(entering);
      }
    },
  };
}

/** The lookup comes back when half of the line has moved on: while its chunk is away, the line must not run empty. */
function tooLong({ source: { name, limits }, callsMax }: Entering): SourceThrottled {
  const intervalMs = limits.pace === null ? 0 : 1000 / limits.pace.requestsPerSecond;
  const delayMs = Math.max(Math.floor(callsMax / 2), 1) * intervalMs;
  return new SourceThrottled(`Too many lookups wait for the next calls to ${name}.`, { delayMs });
}

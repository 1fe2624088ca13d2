import type { OpenLookup } from '../../work/claim.ts';
import { SourceThrottled } from '../../errors.ts';
import type { CalledSource } from '../ad-source.ts';
import type { Gate } from '../rate-limiter.ts';

/** Returns the gate of a lookup of a batch at a source. A lookup that it turns away, with `SourceThrottled`, is not started. */
export type GateOf = (entry: LineEntry) => Gate;

/** A lookup at a source, with the account for which it is made. */
export interface LineEntry {
  readonly source: CalledSource;
  readonly lookup: Pick<OpenLookup, 'repliesOnly'>;
  readonly accountId: number;
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
 * A lookup is turned away when the calls of those before it take longer than `waitMsMax` at the rate of the source: its chunk is rescheduled instead of
 * holding a worker.
 */
export function createSourceLines({ lookupsMax, waitMsMax, openGate }: SourceLineOptions): GateOf {
  const ofSources = new Map<string, Line>();
  const ofAccounts = new Map<string, Gate>();

  function lineAt({ bucket }: CalledSource): Line {
    const line = ofSources.get(bucket) ?? { gate: openGate(lookupsMax), waiting: 0 };
    ofSources.set(bucket, line);
    return line;
  }
  function accountGate({ accountId, source }: LineEntry, placesMax: number): Gate {
    const key = `${accountId} ${placesMax} ${source.name}`;
    const gate = ofAccounts.get(key) ?? openGate(placesMax);
    ofAccounts.set(key, gate);
    return gate;
  }
  return (entry) => {
    const { source, lookup, accountCallsMax } = entry;
    // A lookup without calls delays no other.
    const callsMax = lookup.repliesOnly ? Infinity : callsWithin(waitMsMax, source);
    const inLine: Gate = (work) => standInLine(lineAt(source), callsMax, source, work);
    if (accountCallsMax === null) return inLine;
    return (work) => accountGate(entry, accountCallsMax)(() => inLine(work));
  };
}

interface Line {
  readonly gate: Gate;
  /** Lookups in line, and those that are worked on. */
  waiting: number;
}

async function standInLine<T>(
  line: Line,
  callsMax: number,
  source: CalledSource,
  work: () => Promise<T>,
): Promise<T> {
  if (line.waiting >= callsMax) throw tooLong(source, callsMax);
  line.waiting += 1;
  try {
    return await line.gate(work);
  } finally {
    line.waiting -= 1;
  }
}

function callsWithin(durationMs: number, { limits: { pace } }: CalledSource): number {
  return pace === null ? Infinity : Math.max(Math.floor((durationMs / 1000) * pace.requestsPerSecond), 1);
}

/** The lookup comes back when half of the line has moved on: while its chunk is away, the line must not run empty. */
function tooLong({ name, limits: { pace } }: CalledSource, callsMax: number): SourceThrottled {
  const intervalMs = pace === null ? 0 : 1000 / pace.requestsPerSecond;
  const delayMs = Math.max(Math.floor(callsMax / 2), 1) * intervalMs;
  return new SourceThrottled(`Too many lookups wait for the next calls to ${name}.`, { delayMs });
}

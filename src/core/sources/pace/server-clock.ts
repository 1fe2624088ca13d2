/** Estimate of the clock of the rate limit store, which is remote and takes time to answer. Milliseconds. */
export interface ServerClock {
  /** Records that the store's clock showed `bookMs` at some moment between our request and its answer. */
  readonly note: (reading: {
    readonly askedMs: number;
    readonly answeredMs: number;
    readonly bookMs: number;
  }) => void;
  /** Converts a moment of the server's clock to ours, with the maximum error. */
  readonly toOurs: (bookMs: number) => { readonly atMs: number; readonly errorMsMax: number };
}

/** Maximum drift between two clocks, per millisecond: NTP corrects a clock by at most 500 parts per million (RFC 5905). */
const driftMax = 0.001;

interface Reading {
  /** The store's clock minus ours. */
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly readMs: number;
}

/**
 * Uses the fastest answer so far, because it leaves the smallest error, and replaces it when it is old. So a slow round trip
 * costs no slot.
 */
export function createServerClock(): ServerClock {
  let best: Reading | null = null;
  return {
    note: ({ askedMs, answeredMs, bookMs }) => {
      const reading = {
        offsetMs: bookMs - (askedMs + answeredMs) / 2,
        errorMs: (answeredMs - askedMs) / 2,
        readMs: answeredMs,
      };
      if (best === null || isBetter(reading, best)) best = reading;
    },
    toOurs: (bookMs) => {
      if (best === null) throw new Error('The clock of the rate limit store was used before it was read.');
      const atMs = bookMs - best.offsetMs;
      return { atMs, errorMsMax: errorAt(best, atMs) };
    },
  };
}

/** True for a smaller error, or for a contradiction of the earlier reading, which means that a clock was set. */
function isBetter(reading: Reading, best: Reading): boolean {
  const bestErrorMs = errorAt(best, reading.readMs);
  return (
    reading.errorMs <= bestErrorMs ||
    Math.abs(reading.offsetMs - best.offsetMs) > reading.errorMs + bestErrorMs
  );
}

function errorAt({ errorMs, readMs }: Reading, atMs: number): number {
  return errorMs + Math.max(0, atMs - readMs) * driftMax;
}

/** The clock of the slot book, as far as we know it: it is far away, and an answer takes time. Milliseconds. */
export interface ServerClock {
  /** The book said that it was `bookMs`, at some moment between our question and its answer. */
  readonly note: (reading: {
    readonly askedMs: number;
    readonly answeredMs: number;
    readonly bookMs: number;
  }) => void;
  /** Converts a moment of the server's clock to ours, with the maximum error. */
  readonly toOurs: (bookMs: number) => { readonly atMs: number; readonly errorMsMax: number };
}

/** Two clocks move apart by no more than this, per millisecond: NTP corrects one by at most 500 parts in a million (RFC 5905). */
const driftMax = 0.001;

interface Reading {
  /** The book's clock less ours. */
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly readMs: number;
}

/**
 * Goes by the quickest answer so far, because that leaves least room for error, and by another one once it is old. So a trip that takes
 * long costs no slot.
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
      if (best === null) throw new Error('The clock of the slot book was used before it was read.');
      const atMs = bookMs - best.offsetMs;
      return { atMs, errorMsMax: errorAt(best, atMs) };
    },
  };
}

/** Nearer to the truth; or in contradiction to the earlier one, whose clock somebody has set since. */
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

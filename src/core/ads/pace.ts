import { createCoalescer } from '../coalesce.ts';
import { SourceThrottled } from '../errors.ts';
import type { SourcePace } from './ad-source.ts';

/**
 * Port: the token buckets of all source credentials, shared by every process (DESIGN D6). Kept on Redis or on Postgres.
 */
export interface SlotBook {
  /**
   * Takes up to `count` slots of a bucket, one every `intervalMs`, as many as begin within `waitMsMax`. Answers how many were taken,
   * and the milliseconds until the first free one.
   */
  take(
    bucket: string,
    options: { intervalMs: number; waitMsMax: number; count: number },
  ): Promise<{ readonly taken: number; readonly waitMs: number }>;
  /** The source asked to wait: no slot before `delayMs` from now. */
  delay(bucket: string, delayMs: number): Promise<void>;
}

/** The right to make one call now. */
export interface Turn {
  /** True once so much time has passed that the source could see too many calls at once; then another turn is needed. */
  isOver(): boolean;
}

/** Waits for its turn at a source. */
export interface Pacer {
  /**
   * Resolves when the next call to the source may begin.
   *
   * @throws SourceThrottled when the turn is further away than `waitMsMax`; it says how long to stay away.
   */
  turn(
    bucket: string,
    pace: SourcePace | null,
    options: { waitMsMax: number; signal: AbortSignal },
  ): Promise<Turn>;
  /** Moves the bucket: nobody calls the source within the next `delayMs`. */
  holdOff(bucket: string, delayMs: number): Promise<void>;
}

export interface PacerOptions {
  readonly slots: SlotBook;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Makes a gate that lets so many through at a time, in the order in which they came. */
  readonly openGate: (placesMax: number) => Gate;
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * How far ahead one process takes slots. Enough to bridge the trip to the book; more would go unused when the process dies, would
 * still be called after the source asked everybody to wait, and would keep other processes from their turn.
 */
const aheadMsMax = 250;

/**
 * A slot by our clock. The book named it somewhere between our question and its answer: these are the two bounds. The earlier one is
 * null for a slot that was not taken, because it is too far away.
 */
interface Slot {
  readonly atTheEarliestMs: number | null;
  readonly notBeforeMs: number;
}

/** The callers of one process that wait for the same bucket equally long: they share their trips to the book, and a gate. */
interface Line {
  readonly take: (intervalMs: number) => Promise<Slot>;
  readonly gate: Gate;
}

/**
 * Slots are one interval apart, and a call may begin later than its slot by half of what the burst allows; who is later takes a new
 * one. The other half is for what we do not see: the way to the source. So in no window does a source see more than its limit plus
 * the burst, however busy the processes are.
 */
export function createPacer({ slots, nowMs, sleep, openGate }: PacerOptions): Pacer {
  const lines = new Map<string, Line>();

  async function turn(
    bucket: string,
    pace: SourcePace | null,
    { waitMsMax, signal }: { waitMsMax: number; signal: AbortSignal },
  ): Promise<Turn> {
    const intervalMs = pace === null ? 0 : 1000 / pace.requestsPerSecond;
    const latenessMsMax = pace === null ? Infinity : Math.max((pace.burst - 1) / 2, 0.2) * intervalMs;
    const line = lineFor(bucket, waitMsMax, intervalMs);
    return line.gate(async () => {
      for (;;) {
        signal.throwIfAborted();
        const slot = await line.take(intervalMs);
        const { atTheEarliestMs } = slot;
        if (atTheEarliestMs === null) throw tooFarAway(slot.notBeforeMs - nowMs());
        const waitMs = slot.notBeforeMs - nowMs();
        if (waitMs > 0) await sleep(waitMs, signal);
        const isOver = () => nowMs() - atTheEarliestMs > latenessMsMax;
        if (!isOver()) return { isOver };
      }
    });
  }

  function lineFor(bucket: string, waitMsMax: number, intervalMs: number): Line {
    const key = `${waitMsMax} ${bucket}`;
    let line = lines.get(key);
    if (line === undefined) {
      const placesMax = intervalMs === 0 ? Infinity : Math.ceil(aheadMsMax / intervalMs);
      line = { take: createTaker(bucket, waitMsMax), gate: openGate(placesMax) };
      lines.set(key, line);
    }
    return line;
  }

  /** Callers that ask at the same time share one trip to the book. Answers the moment of each one's slot by our clock. */
  function createTaker(bucket: string, waitMsMax: number): (intervalMs: number) => Promise<Slot> {
    return createCoalescer<number, Slot>(100, async (intervals) => {
      const intervalMs = intervals[0] ?? 0;
      const askedMs = nowMs();
      const { taken, waitMs } = await slots.take(bucket, { intervalMs, waitMsMax, count: intervals.length });
      const answeredMs = nowMs();
      return intervals.map((_, i) => ({
        atTheEarliestMs: i < taken ? askedMs + waitMs + i * intervalMs : null,
        notBeforeMs: answeredMs + waitMs + i * intervalMs,
      }));
    });
  }

  return { turn, holdOff: (bucket, delayMs) => slots.delay(bucket, delayMs) };
}

function tooFarAway(delayMs: number): SourceThrottled {
  return new SourceThrottled(`The source has no free slot for ${Math.ceil(delayMs / 1000)} s.`, { delayMs });
}

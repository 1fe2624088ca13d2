import { createBatcher } from '../async/batcher.ts';
import { SourceThrottled } from '../errors.ts';
import type { Allowance } from './allowance.ts';
import { createServerClock } from './server-clock.ts';
import { applyRateLimitHeaders } from './apply-rate-limit-headers.ts';
import type { SourcePace } from './source-call.ts';

/**
 * Port: the token buckets of all source credentials, shared by every process (docs/architecture/decisions/0006-rate-limits.md). Kept on
 * Redis or on Postgres.
 */
export interface RateLimitStore {
  /**
   * Takes up to `count` slots of a bucket, one every `intervalMs`, or further apart where the source has asked for that; as many as
   * begin within `waitMsMax`. Answers how many were taken, the milliseconds until the first free one, how far apart they are, and what
   * the book's clock showed then.
   */
  take(
    bucket: string,
    options: { intervalMs: number; waitMsMax: number; count: number },
  ): Promise<TakenSlots>;
  /** The source asked to wait: no slot before `delayMs` from now. */
  delay(bucket: string, delayMs: number): Promise<void>;
  /** The source asked for slots that are so far apart; kept for a day. */
  learn(bucket: string, intervalMs: number): Promise<void>;
}

export interface TakenSlots {
  readonly taken: number;
  readonly waitMs: number;
  readonly intervalMs: number;
  /** Milliseconds since whenever the book counts from. */
  readonly bookMs: number;
}

/** The right to make one call at a moment that is near. */
export interface Reservation {
  /**
   * Resolves at that moment with true; with false when it has passed by so much that the source could see too many calls at once.
   * Then another turn is needed. Rejects with the signal's reason.
   */
  comes(signal: AbortSignal): Promise<boolean>;
}

/** Waits for its turn at a source. */
export interface RateLimiter {
  /**
   * Resolves shortly before the next call to the source may begin: time to put it on record.
   *
   * @throws SourceThrottled when the turn is further away than `waitMsMax`; it says how long to stay away.
   */
  reserve(
    bucket: string,
    pace: SourcePace | null,
    options: { waitMsMax: number; signal: AbortSignal },
  ): Promise<Reservation>;
  /** Moves the bucket: nobody calls the source within the next `delayMs`. */
  pauseUntil(bucket: string, delayMs: number): Promise<void>;
  /** Applies the rate limit that a source reports beside an answer, where it is slower than the configured one, for all processes. */
  learn(bucket: string, pace: SourcePace | null, allowance: Allowance | null): Promise<void>;
}

export interface PacerOptions {
  readonly slots: RateLimitStore;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Makes a gate that lets so many through at a time, in the order in which they came. */
  readonly openGate: (placesMax: number) => Gate;
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Time between a slot and the start of its call: the time to fetch the slot and to record the call. A reservation is granted so long before
 * the slot, and not earlier, so that few calls are recorded and never sent.
 */
const leadMs = 20;

/**
 * Maximum lead. Where recording calls takes longer, a reservation is granted so much earlier. On a machine with five times the work that it
 * has processors for, the slowest tenth took 35 ms and more, and a quarter of the rate was lost to late reservations.
 */
const leadMsMax = 150;
/** Weight of the slowest record at the next one: a third after fifty fast ones. */
const fadesTo = 0.98;

/** Timers and trips to the book are no finer. Paces beyond some hundred requests a second need a burst that allows for it. */
const latenessMsMin = 5;

/**
 * Time ahead of which one process takes slots. Enough to bridge the round trip to the store; more would go unused when the process dies,
 * would still be called after the source asked everybody to wait, and would keep other processes from their slots.
 */
const aheadMsMax = 250;

/** The book forgets within a day what a source asks for: long before, it is told again. */
const retellMs = 3_600_000;

/** A slot by our clock; see `BookClock` for how far that may be wrong. */
interface Slot {
  /** False when it is too far away. */
  readonly isTaken: boolean;
  readonly atMs: number;
  readonly errorMsMax: number;
}

/** The callers of one process that wait for the same bucket equally long: they share their trips to the book, and a gate. */
interface Line {
  /** Lead of a reservation; see `leadMs`. */
  readonly lead: Lead;
  readonly take: (intervalMs: number) => Promise<Slot>;
  readonly gate: Gate;
}

/**
 * Slots are one interval apart, and a call may begin later than its moment by a quarter of what the burst allows; who is later takes a
 * new slot. The rest is for what we do not see: the way to the source. So in no window does a source see more than its limit plus the
 * burst, however busy the processes are.
 */
export function createRateLimiter({ slots, nowMs, sleep, openGate }: PacerOptions): RateLimiter {
  const lines = new Map<string, Line>();
  const clock = createServerClock();

  async function reserve(
    bucket: string,
    pace: SourcePace | null,
    { waitMsMax, signal }: { waitMsMax: number; signal: AbortSignal },
  ): Promise<Reservation> {
    const intervalMs = pace === null ? 0 : 1000 / pace.requestsPerSecond;
    const line = lineFor(bucket, waitMsMax, intervalMs);
    const askedMs = nowMs();
    return line.gate(async () => {
      // Time in the line counts too: behind many others a slot may be near by now and still have come too late.
      if (nowMs() - askedMs > waitMsMax) throw tooFarAway(intervalMs);
      for (;;) {
        signal.throwIfAborted();
        const slot = await line.take(intervalMs);
        if (!slot.isTaken) throw tooFarAway(slot.atMs - nowMs());
        const momentMs = slot.atMs + (pace === null ? 0 : leadMs);
        await sleepUntil(momentMs - line.lead.readMs(), signal);
        const isOver = () => nowMs() - momentMs + slot.errorMsMax > latenessMsMax(pace);
        if (!isOver()) return giveTurn(line, momentMs, isOver);
      }
    });
  }

  function giveTurn({ lead }: Line, momentMs: number, isOver: () => boolean): Reservation {
    const givenMs = nowMs();
    return {
      comes: async (signal) => {
        lead.noteMs(nowMs() - givenMs);
        await sleepUntil(momentMs, signal);
        return !isOver();
      },
    };
  }

  async function sleepUntil(momentMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = momentMs - nowMs();
    if (waitMs > 0) await sleep(waitMs, signal);
    signal.throwIfAborted();
  }

  function lineFor(bucket: string, waitMsMax: number, intervalMs: number): Line {
    const key = `${waitMsMax} ${bucket}`;
    let line = lines.get(key);
    if (line === undefined) {
      const placesMax = intervalMs === 0 ? Infinity : Math.ceil(aheadMsMax / intervalMs);
      line = { take: createTaker(bucket, waitMsMax), gate: openGate(placesMax), lead: createLead() };
      lines.set(key, line);
    }
    return line;
  }

  /** Callers that ask at the same time share one trip to the book. Answers the moment of each one's slot by our clock. */
  function createTaker(bucket: string, waitMsMax: number): (intervalMs: number) => Promise<Slot> {
    return createBatcher<number, Slot>(100, async (intervals) => {
      const intervalMs = intervals[0] ?? 0;
      const askedMs = nowMs();
      const options = { intervalMs, waitMsMax, count: intervals.length };
      const { taken, waitMs, bookMs, ...slot } = await slots.take(bucket, options);
      clock.note({ askedMs, answeredMs: nowMs(), bookMs });
      return intervals.map((_, i) => ({
        isTaken: i < taken,
        ...clock.toOurs(bookMs + waitMs + i * slot.intervalMs),
      }));
    });
  }

  const learned = new Map<string, { readonly intervalMs: number; readonly reportedMs: number }>();
  /** Told once an hour, not with every answer. */
  async function learn(bucket: string, pace: SourcePace | null, allowance: Allowance | null): Promise<void> {
    const { holdOffMs, intervalMs } = applyRateLimitHeaders(allowance, pace);
    if (holdOffMs !== null) await slots.delay(bucket, holdOffMs);
    if (intervalMs === null) return;
    const reported = learned.get(bucket);
    if (reported?.intervalMs === intervalMs && nowMs() - reported.reportedMs < retellMs) return;
    await slots.learn(bucket, intervalMs);
    learned.set(bucket, { intervalMs, reportedMs: nowMs() });
  }

  return { reserve, learn, pauseUntil: (bucket, delayMs) => slots.delay(bucket, delayMs) };
}

interface Lead {
  readonly readMs: () => number;
  /** So long it took to put a call on record. */
  readonly noteMs: (tookMs: number) => void;
}

function createLead(): Lead {
  let slowestMs = 0;
  return {
    readMs: () => Math.min(Math.max(slowestMs, leadMs), leadMsMax),
    noteMs: (tookMs) => void (slowestMs = Math.max(tookMs, slowestMs * fadesTo)),
  };
}

function latenessMsMax(pace: SourcePace | null): number {
  if (pace === null) return Infinity;
  const intervals = Math.max((pace.burst - 1) / 4, 0.2);
  return Math.max((intervals * 1000) / pace.requestsPerSecond, latenessMsMin);
}

function tooFarAway(delayMs: number): SourceThrottled {
  return new SourceThrottled(`The source has no free slot for ${Math.ceil(delayMs / 1000)} s.`, { delayMs });
}

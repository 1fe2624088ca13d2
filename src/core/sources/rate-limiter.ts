import { createBatcher } from '../async/batcher.ts';
import { SourceThrottled } from '../errors.ts';
import type { Allowance } from './allowance.ts';
import { createCallLead, leadMs, type CallLead } from './pace/call-lead.ts';
import { createServerClock } from './pace/server-clock.ts';
import { applyRateLimitHeaders, type SlotWait } from './apply-rate-limit-headers.ts';
import { intervalMsOf, type SourcePace } from './source-call.ts';

/**
 * Port: the token buckets of all source credentials, shared by every process (docs/architecture/decisions/0006-rate-limits.md).
 * Stored on Redis or on Postgres.
 */
export interface RateLimitStore {
  /**
   * Takes up to `count` slots of a bucket, one every `intervalMs`, or further apart if the source asked for it; only slots that
   * start within `waitMsMax`. Returns the number of taken slots, the milliseconds until the first one, their distance, and the
   * time of the store's clock.
   */
  take(
    bucket: string,
    options: { intervalMs: number; waitMsMax: number; count: number },
  ): Promise<TakenSlots>;
  /** Delays the bucket: no slot within the next `delayMs`. */
  delay(bucket: string, delayMs: number): Promise<void>;
  /** Sets a longer interval that the source asked for; kept for a day. */
  learn(bucket: string, intervalMs: number): Promise<void>;
}

export interface TakenSlots {
  readonly taken: number;
  readonly waitMs: number;
  readonly intervalMs: number;
  /** Time of the store's clock, in milliseconds; its origin is arbitrary. */
  readonly bookMs: number;
}

/** The right to make one call at a moment in the near future. */
export interface Reservation {
  /**
   * Resolves at that moment with true; with false when it is so late that the source could see too many calls at once, and a
   * new reservation is needed. Rejects with the signal's reason.
   */
  comes(signal: AbortSignal): Promise<boolean>;
}

export interface ReserveOptions {
  readonly waitMsMax: number;
  /**
   * Takes no slot that is further away than this, and asks again when one is near: callers without a bound of their own then find a slot
   * within this time, whatever the number of callers with one. Default: `waitMsMax`.
   */
  readonly slotMsMax?: number;
  /** Place of the call in its process: taken before a slot, and released while no slot is near. Default: the call needs none. */
  readonly place?: CallPlace;
  readonly signal: AbortSignal;
  /** Called when the next slot is in the future; a caller behind others may learn of it by the error only. */
  readonly onWait?: (slot: SlotWait) => Promise<void>;
}

/** One of the places for calls of a process. */
export interface CallPlace {
  /** Resolves when the place is held; at once if it is held already. */
  take(): Promise<void>;
  /** Releases the place, if it is held. */
  release(): void;
}

/** Grants reservations for calls to a source. */
export interface RateLimiter {
  /**
   * Resolves shortly before the next call to the source may start: time to record it.
   *
   * @throws SourceThrottled with the delay, when the next slot is further away than `waitMsMax`.
   */
  reserve(bucket: string, pace: SourcePace | null, options: ReserveOptions): Promise<Reservation>;
  /** Pauses the bucket: no process calls the source within the next `delayMs`. */
  pauseUntil(bucket: string, delayMs: number): Promise<void>;
  /** Applies the rate limit that a source reports beside an answer, if it is lower than the configured one, for all processes. */
  learn(bucket: string, pace: SourcePace | null, allowance: Allowance | null): Promise<void>;
}

export interface PacerOptions {
  readonly slots: RateLimitStore;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Resolves after the delay; rejects with the signal's reason if it aborts first. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Creates a gate that admits this many callers at a time, in the order of their arrival. */
  readonly openGate: (placesMax: number) => Gate;
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Resolution of timers and round trips to the store. Rates beyond a few hundred requests per second need a burst that allows for it. */
const latenessMsMin = 5;

/**
 * Time ahead for which a process takes slots: enough to bridge the round trip to the store. More slots would be wasted when the
 * process dies, would still be used after the source asked for a pause, and would not be available to other processes.
 */
const aheadMsMax = 250;

/** Shortest wait for a slot that is too far away to take. All slots until then are taken, so nothing is lost. */
const nearSlotMs = 50;

/** The store forgets the interval of a source within a day, so it is sent again long before. */
const retellMs = 3_600_000;

/** A slot by our clock; see `ServerClock` for the error. */
interface Slot {
  /** False when it is too far away. */
  readonly isTaken: boolean;
  readonly atMs: number;
  readonly errorMsMax: number;
  /** Distance of the slots; milliseconds. */
  readonly intervalMs: number;
}

/** Callers of one process that wait for the same bucket with the same limit: they share round trips to the store, and a gate. */
interface Line {
  readonly lead: CallLead;
  readonly take: (intervalMs: number) => Promise<Slot>;
  readonly gate: Gate;
}

/**
 * Slots are one interval apart, and a call may start later than its slot by a quarter of what the burst allows; a later call
 * takes a new slot. The rest allows for delays on the way to the source. So in no window does a source see more than its limit
 * plus the burst, however busy the processes are.
 *
 * A process that is so far away that its fastest call is later than that makes every call later by the same time, its distance, which
 * keeps them one interval apart. Otherwise it would take slots and never call.
 */
export function createRateLimiter({ slots, nowMs, sleep, openGate }: PacerOptions): RateLimiter {
  const lines = new Map<string, Line>();
  const clock = createServerClock();

  async function reserve(
    bucket: string,
    pace: SourcePace | null,
    { waitMsMax, slotMsMax = waitMsMax, place, signal, onWait }: ReserveOptions,
  ): Promise<Reservation> {
    const intervalMs = intervalMsOf(pace);
    const line = lineFor(bucket, Math.min(slotMsMax, waitMsMax), intervalMs);
    const askedMs = nowMs();
    return line.gate(async () => {
      // Time in the queue counts too: behind many others, a slot may be near and still come too late.
      if (nowMs() - askedMs > waitMsMax) throw tooFarAway(intervalMs);
      for (;;) {
        await place?.take();
        signal.throwIfAborted();
        const slot = await line.take(intervalMs);
        const delayMs = slot.atMs - nowMs();
        // Not awaited: that takes time which the slot may not have.
        if (delayMs > 0) void onWait?.({ delayMs, intervalMs: slot.intervalMs });
        if (!slot.isTaken) {
          // The store has compared the slot with the budget only if that is the nearer bound.
          if (slotMsMax >= waitMsMax || slot.atMs - askedMs > waitMsMax) throw tooFarAway(delayMs);
          place?.release();
          await sleep(Math.max(delayMs - slotMsMax, nearSlotMs), signal);
          continue;
        }
        const distanceMs = line.lead.distanceMs(slot.errorMsMax, latenessMsMax(pace), nowMs());
        const momentMs = slot.atMs + (pace === null ? 0 : leadMs) + distanceMs;
        await sleepUntil(momentMs - line.lead.readMs(), signal);
        // A distance contains the error already: it is the same for every call.
        const errorMs = distanceMs === 0 ? slot.errorMsMax : 0;
        const isOver = () => nowMs() - momentMs + errorMs > latenessMsMax(pace);
        if (!isOver()) return giveTurn(line, momentMs, isOver);
      }
    });
  }

  function giveTurn({ lead }: Line, momentMs: number, isOver: () => boolean): Reservation {
    const givenMs = nowMs();
    return {
      comes: async (signal) => {
        lead.noteMs(nowMs() - givenMs, nowMs());
        await sleepUntil(momentMs, signal);
        return !isOver();
      },
    };
  }

  async function sleepUntil(momentMs: number, signal: AbortSignal): Promise<void> {
    if (momentMs > nowMs()) await sleep(momentMs - nowMs(), signal);
    signal.throwIfAborted();
  }

  function lineFor(bucket: string, slotMsMax: number, intervalMs: number): Line {
    const key = `${slotMsMax} ${bucket}`;
    const known = lines.get(key);
    if (known !== undefined) return known;
    const placesMax = intervalMs === 0 ? Infinity : Math.ceil(aheadMsMax / intervalMs);
    const take = createTaker(bucket, slotMsMax);
    const line = { take, gate: openGate(placesMax), lead: createCallLead(nowMs()) };
    lines.set(key, line);
    return line;
  }

  /** Callers that arrive at the same time share one round trip to the store. Returns the moment of each caller's slot by our clock. */
  function createTaker(bucket: string, waitMsMax: number): (intervalMs: number) => Promise<Slot> {
    return createBatcher<number, Slot>(100, async (intervals) => {
      const intervalMs = intervals[0] ?? 0;
      const askedMs = nowMs();
      const options = { intervalMs, waitMsMax, count: intervals.length };
      const { taken, waitMs, bookMs, ...slot } = await slots.take(bucket, options);
      clock.note({ askedMs, answeredMs: nowMs(), bookMs });
      return intervals.map((_, i) => ({
        isTaken: i < taken,
        intervalMs: slot.intervalMs,
        ...clock.toOurs(bookMs + waitMs + i * slot.intervalMs),
      }));
    });
  }

  const learn = createLearner(slots, nowMs);
  return { reserve, learn, pauseUntil: (bucket, delayMs) => slots.delay(bucket, delayMs) };
}

/** Tells the store the pace that a source states in its answers: once an hour, not with every answer. */
function createLearner(slots: PacerOptions['slots'], nowMs: PacerOptions['nowMs']): RateLimiter['learn'] {
  const learned = new Map<string, { readonly intervalMs: number; readonly reportedMs: number }>();
  return async (bucket, pace, allowance) => {
    const { holdOffMs, intervalMs } = applyRateLimitHeaders(allowance, pace);
    if (holdOffMs !== null) await slots.delay(bucket, holdOffMs);
    if (intervalMs === null) return;
    const reported = learned.get(bucket);
    if (reported?.intervalMs === intervalMs && nowMs() - reported.reportedMs < retellMs) return;
    await slots.learn(bucket, intervalMs);
    learned.set(bucket, { intervalMs, reportedMs: nowMs() });
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

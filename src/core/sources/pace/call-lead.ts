/**
 * Time between the grant of a reservation and the start of its call: the time to fetch the slot and to record the call. A
 * longer time would record more calls that are never sent.
 */
export const leadMs = 20;

/**
 * Maximum lead. If recording calls takes longer, a reservation is granted earlier. On a machine with five times more work than
 * processors, the slowest tenth took 35 ms and more, and late reservations lost a quarter of the rate.
 */
const leadMsMax = 150;
/** Decay of the slowest recording per recorded call: to a third after fifty fast ones. */
const fadesTo = 0.98;

/** Time in which a process learns its distance. */
const learnMs = 5000;

/** The distance of a process is that of its fastest call within this time, or within twice as much: longer than a network is cut off. */
const distancePeriodMs = 120_000;

/**
 * Maximum distance, in milliseconds; a process that is farther away makes no calls. A call is recorded earlier than it is sent by as much, and
 * `verify` tolerates a second.
 */
const distanceMsMax = 1000;

/** Time by which a reservation is granted before its call, and by which a call of a process that is far away is made after its slot. */
export interface CallLead {
  readonly readMs: () => number;
  /**
   * Delay of all calls of a process that is far from the store or from the log of calls: then even its fastest call is later than
   * `latenessMs` after its slot. 0 for any other process, and until it is known.
   *
   * @param errorMs error of the process' estimate of the store's clock.
   */
  readonly distanceMs: (errorMs: number, latenessMs: number, nowMs: number) => number;
  /** Notes the time that recording a call took. */
  readonly noteMs: (tookMs: number, nowMs: number) => void;
}

/** Measures the recordings of a process from `openedMs` on. */
export function createCallLead(openedMs: number): CallLead {
  let slowestMs = 0;
  let period = { fromMs: -Infinity, fastestMs: Infinity };
  let lastFastestMs = Infinity;
  /** The fastest recording of the last minutes: no call can be faster. 0 before the first. */
  function fastestMs(): number {
    const ms = Math.min(lastFastestMs, period.fastestMs);
    return ms === Infinity ? 0 : ms;
  }
  return {
    readMs: () =>
      Math.max(Math.min(Math.max(slowestMs, leadMs), leadMsMax), Math.min(fastestMs(), distanceMsMax)),
    distanceMs(errorMs, latenessMs, nowMs) {
      const neededMs = 2 * errorMs + fastestMs();
      const isKnown = nowMs - openedMs >= learnMs;
      return isKnown && neededMs > latenessMs && neededMs <= distanceMsMax ? neededMs : 0;
    },
    noteMs(tookMs, nowMs) {
      slowestMs = Math.max(tookMs, slowestMs * fadesTo);
      if (nowMs - period.fromMs < distancePeriodMs) {
        period.fastestMs = Math.min(period.fastestMs, tookMs);
      } else {
        lastFastestMs = period.fastestMs;
        period = { fromMs: nowMs, fastestMs: tookMs };
      }
    },
  };
}

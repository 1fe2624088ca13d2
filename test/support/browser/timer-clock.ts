import type { Clock } from '../../../src/console/api/live/watchers.ts';

/** Clock of the console whose time passes only when the test lets it. */
interface TimerClock extends Clock {
  /** Lets time pass, and runs what is due, in order. */
  readonly pass: (ms: number) => Promise<void>;
  /** Delays of the timers that are set, from now. */
  readonly delays: () => readonly number[];
}

/** Creates the clock, at 0. */
export function createTimerClock(): TimerClock {
  let now = 0;
  const timers = new Set<{ readonly atMs: number; readonly work: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    nowMs: () => now,
    later: (delayMs, work) => {
      const timer = { atMs: now + delayMs, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: async (ms) => {
      const endMs = now + ms;
      await settle();
      for (;;) {
        const [due] = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
        if (due === undefined) break;
        timers.delete(due);
        now = Math.max(now, due.atMs);
        due.work();
        await settle();
      }
      now = endMs;
    },
    delays: () => [...timers].map(({ atMs }) => atMs - now).sort((a, b) => a - b),
  };
}

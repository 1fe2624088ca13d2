import { Stopping } from '../work/shutdown-error.ts';

/** Work that goes on beside what starts it. */
export interface SideWork {
  /** Starts it, unless it is under way. Returns at once. */
  start(): void;
  /** Calls it off and resolves when nothing of it runs any more; it cannot be started again. */
  close(): Promise<void>;
}

/** Makes such work. Errors go to `onError`, but for the one that it is called off with. */
export function createSideWork(
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): SideWork {
  const stop = new AbortController();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      await work(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) onError(error);
    } finally {
      running = null;
    }
  }

  return {
    start: () => {
      if (!stop.signal.aborted) running ??= run();
    },
    close: async () => {
      stop.abort(new Stopping('The process ends.'));
      await running;
    },
  };
}

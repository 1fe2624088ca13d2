import { ShutdownError } from './shutdown-error.ts';

/** Work that goes on beside what starts it. */
export interface BackgroundTask {
  /** Starts it, unless it is under way. Returns at once. */
  start(): void;
  /** Calls it off and resolves when nothing of it runs any more; it cannot be started again. */
  close(): Promise<void>;
}

/** Makes such work. Errors go to `onError`, but for the one that it is called off with. */
export function createBackgroundTask(
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): BackgroundTask {
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
      stop.abort(new ShutdownError('The process ends.'));
      await running;
    },
  };
}

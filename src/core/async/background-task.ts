import { ShutdownError } from './shutdown-error.ts';

/** Work that goes on beside what starts it. */
export interface BackgroundTask {
  /** Starts the task, unless it is running. Returns at once. */
  start(): void;
  /** Aborts the task and resolves when it has stopped. It cannot be started again. */
  close(): Promise<void>;
}

/** Creates a background task. Errors go to `onError`, except the reason of its abort. */
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

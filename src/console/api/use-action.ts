import { useRef, useState } from 'preact/hooks';
import { toRequestError, type RequestError } from './request-error.ts';

/** Action of a button. */
export interface Action<Arguments extends readonly unknown[]> {
  /** Runs the action, unless it is running. */
  readonly run: (...args: Arguments) => void;
  readonly isRunning: boolean;
  /** Error of the last run. */
  readonly error: RequestError | undefined;
  readonly reset: () => void;
}

/** Runs a change one at a time, and keeps its error to show beside the button. */
export function useAction<Arguments extends readonly unknown[]>(
  work: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  // Set at once, for a second click that comes before the next render.
  const running = useRef(false);
  const [error, setError] = useState<RequestError | undefined>(undefined);
  return {
    isRunning,
    error,
    reset: () => setError(undefined),
    run: (...args) => {
      if (running.current) return;
      running.current = true;
      setRunning(true);
      setError(undefined);
      work(...args)
        .catch((thrown: unknown) => setError(toRequestError(thrown)))
        .finally(() => {
          running.current = false;
          setRunning(false);
        });
    },
  };
}

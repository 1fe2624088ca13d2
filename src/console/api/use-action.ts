import { useRef, useState } from 'preact/hooks';
import { toRequestError, type RequestError } from './request-error.ts';
import { useRetry } from './use-retry.ts';

/** Action of a button. */
export interface Action<Arguments extends readonly unknown[]> {
  /** Runs the action, unless it is running. */
  readonly run: (...args: Arguments) => void;
  readonly isRunning: boolean;
  /** Error of the last run. */
  readonly error: RequestError | undefined;
  readonly reset: () => void;
}

/**
 * Runs a change one at a time, and keeps its error to show beside the button.
 *
 * @param options.isRetried true for what changes nothing: it repeats once an unavailable server is back. Default false.
 */
export function useAction<Arguments extends readonly unknown[]>(
  work: (...args: Arguments) => Promise<unknown>,
  { isRetried = false }: { readonly isRetried?: boolean } = {},
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  // Set at once, for a second click that comes before the next render.
  const running = useRef(false);
  const [error, setError] = useState<RequestError | undefined>(undefined);
  const lastArgs = useRef<Arguments | null>(null);
  const run = (...args: Arguments) => {
    if (running.current) return;
    running.current = true;
    lastArgs.current = args;
    setRunning(true);
    setError(undefined);
    work(...args)
      .catch((thrown: unknown) => setError(toRequestError(thrown)))
      .finally(() => {
        running.current = false;
        setRunning(false);
      });
  };
  useRetry(isRetried ? error : undefined, () => {
    if (lastArgs.current !== null) run(...lastArgs.current);
  });
  return { isRunning, error, reset: () => setError(undefined), run };
}

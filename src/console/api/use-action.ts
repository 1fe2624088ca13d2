import { useRef, useState } from 'preact/hooks';
import { asError, type Failure } from './request-error.ts';

/** Something that a click sets going. */
export interface Action<Arguments extends readonly unknown[]> {
  /** Runs it, unless it runs already. */
  readonly run: (...given: Arguments) => void;
  readonly isRunning: boolean;
  /** Error of the last run. */
  readonly failure: Failure | undefined;
  readonly forget: () => void;
}

/** Runs something that changes something, once at a time, and keeps what goes wrong to be shown beside the button. */
export function useAction<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  // Known at once, also to a second click that comes before the page is drawn anew.
  const running = useRef(false);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  return {
    isRunning,
    failure,
    forget: () => setFailure(undefined),
    run: (...given) => {
      if (running.current) return;
      running.current = true;
      setRunning(true);
      setFailure(undefined);
      work(...given)
        .catch((thrown: unknown) => setFailure(asError(thrown)))
        .finally(() => {
          running.current = false;
          setRunning(false);
        });
    },
  };
}

import { useRef, useState } from 'preact/hooks';
import { asTrouble, type Trouble } from './request-error.ts';

/** Something that a click sets going. */
export interface Action<Arguments extends readonly unknown[]> {
  /** Runs it, unless it runs already. */
  readonly run: (...given: Arguments) => void;
  readonly isRunning: boolean;
  /** What went wrong the last time. */
  readonly trouble: Trouble | undefined;
  readonly forget: () => void;
}

/** Runs something that changes something, once at a time, and keeps what goes wrong to be shown beside the button. */
export function useAction<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  // Known at once, also to a second click that comes before the page is drawn anew.
  const running = useRef(false);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  return {
    isRunning,
    trouble,
    forget: () => setTrouble(undefined),
    run: (...given) => {
      if (running.current) return;
      running.current = true;
      setRunning(true);
      setTrouble(undefined);
      work(...given)
        .catch((thrown: unknown) => setTrouble(asTrouble(thrown)))
        .finally(() => {
          running.current = false;
          setRunning(false);
        });
    },
  };
}

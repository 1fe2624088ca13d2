import { useCallback, useEffect, useState } from 'preact/hooks';
import { asError, type Failure } from './request-error.ts';
import { useRetry } from './use-retry.ts';

/** State of a load: pending, loaded, or failed. Data stays while it is loaded again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  /** When the data came; null while there is none. */
  readonly asOf: Date | null;
  /** Asks again. */
  readonly reload: () => void;
  /** Puts something newer in its place, such as the answer to a change. */
  readonly replace: (data: T) => void;
}

/**
 * Asks for something as long as the page is there, anew whenever `key` changes, and again for as long as the server is away. An answer that comes after that is thrown away.
 *
 * @param key what the answer depends on, as text: the id and the filters.
 */
export function useLoad<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload' | 'replace'>>(nothingYet);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    ask(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState(there(data));
      },
      (thrown: unknown) => {
        if (!leaving.signal.aborted)
          setState((before) => ({ ...before, failure: asError(thrown), isLoading: false }));
      },
    );
    return () => leaving.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  const replace = useCallback((data: T) => setState(there(data)), []);
  useRetry(state.failure, reload);
  return { ...state, reload, replace };
}

const nothingYet = { data: undefined, failure: undefined, isLoading: true, asOf: null };

function there<T>(data: T) {
  return { data, failure: undefined, isLoading: false, asOf: new Date() };
}

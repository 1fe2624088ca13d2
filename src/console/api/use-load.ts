import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toRequestError, type RequestError } from './request-error.ts';
import { useRetry } from './use-retry.ts';

/** State of a load: pending, loaded, or failed. Data stays while it is loaded again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  /** Time of the data; null without data. */
  readonly asOf: Date | null;
  /** Loads again. */
  readonly reload: () => void;
  /** Replaces the data, for example with the response to a change. A load in flight, whose data may be older, is dropped. */
  readonly replace: (data: T) => void;
}

/**
 * Loads data while the component is mounted: again when `key` changes, and periodically while the server is unavailable. Responses that
 * arrive after unmounting are ignored.
 *
 * @param key everything that the data depends on, as text: the id and the filters.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload' | 'replace'>>(initial);
  const [attempt, setAttempt] = useState(0);
  const loading = useRef<AbortController | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    loading.current = leaving;
    setState((before) => ({ ...before, isLoading: true }));
    load(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState(loaded(data));
      },
      (thrown: unknown) => {
        if (!leaving.signal.aborted)
          setState((before) => ({ ...before, error: toRequestError(thrown), isLoading: false }));
      },
    );
    return () => leaving.abort();
  }, [key, attempt]);
  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  const replace = useCallback((data: T) => {
    loading.current?.abort();
    setState(loaded(data));
  }, []);
  useRetry(state.error, reload);
  return { ...state, reload, replace };
}

const initial = { data: undefined, error: undefined, isLoading: true, asOf: null };

function loaded<T>(data: T) {
  return { data, error: undefined, isLoading: false, asOf: new Date() };
}

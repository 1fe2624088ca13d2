import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { AccountPart } from '../../core/accounts/account-revisions.ts';
import { useRefresh } from './live/account-events.ts';
import { isUnreachable, toRequestError, type RequestError } from './request-error.ts';
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
 * Loads data while the component is mounted: again when `key` changes, after changes of parts of the account, and once an unavailable server
 * is back. Responses that arrive after unmounting are ignored.
 *
 * @param key everything that the data depends on, as text: the id and the filters.
 * @param parts parts of the account whose changes load the data again, without `isLoading`. Default: none.
 */
export function useLoad<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  parts: readonly AccountPart[] = [],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload' | 'replace'>>(initial);
  const [attempt, setAttempt] = useState(0);
  /** The load in flight; null without one. */
  const loading = useRef<AbortController | null>(null);
  const isOutdated = useRef(false);
  const newest = useRef(load);
  newest.current = load;
  const error = useRef(state.error);
  error.current = state.error;

  async function begin(): Promise<void> {
    const leaving = new AbortController();
    const { signal } = leaving;
    loading.current = leaving;
    isOutdated.current = false;
    const end = (next: (before: typeof state) => typeof state) => {
      if (signal.aborted) return;
      loading.current = null;
      setState(next);
      if (isOutdated.current) void begin();
    };
    await newest.current(signal).then(
      (data) => end(() => loaded(data)),
      (thrown: unknown) => end((before) => ({ ...before, error: toRequestError(thrown), isLoading: false })),
    );
  }

  useEffect(() => {
    setState((before) => ({ ...before, isLoading: true }));
    void begin();
    return () => {
      loading.current?.abort();
      loading.current = null;
    };
  }, [key, attempt]);
  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  const replace = useCallback((data: T) => {
    loading.current?.abort();
    loading.current = null;
    setState(loaded(data));
  }, []);
  useRefresh(parts, async () => {
    // A load in flight may have missed the change, and aborting it again and again would never end.
    if (loading.current !== null) isOutdated.current = true;
    // Without a server, `useRetry` loads again.
    else if (error.current === undefined || !isUnreachable(error.current)) await begin();
  });
  useRetry(state.error, reload);
  return { ...state, reload, replace };
}

const initial = { data: undefined, error: undefined, isLoading: true, asOf: null };

function loaded<T>(data: T) {
  return { data, error: undefined, isLoading: false, asOf: new Date() };
}

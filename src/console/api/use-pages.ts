import { useEffect, useRef, useState } from 'preact/hooks';
import { toRequestError, type RequestError } from './request-error.ts';
import { useRetry } from './use-retry.ts';

/** Page of a list, and the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Loaded part of a list. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  /** True once the first page is loaded. */
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly error: RequestError | undefined;
  /** Loads the next page. */
  readonly more: () => void;
  /** Loads all further pages, up to `loadedMax` items. */
  readonly all: () => void;
  /** Loads the first page again. */
  readonly reload: () => void;
}

/** Maximum number of items that `all` loads. */
export const loadedMax = 100_000;

/**
 * Loads a list page by page. Cursors are keys, so that new items do not shift pages.
 *
 * @param key everything that the list depends on, as text; a change loads the first page again.
 */
export function usePages<Item>(key: string, fetchPage: FetchPage<Item>): Pages<Item> {
  const [state, setState] = useState<State<Item>>(initial);
  const [attempt, setAttempt] = useState(0);
  const leaving = useRef(new AbortController());

  /** @param goesOn loads the pages after it, too. */
  function load(after: string | undefined, before: readonly Item[], goesOn = false): void {
    const { signal } = leaving.current;
    // Keeps the error until a response: requests to an unavailable server repeat.
    setState((state) => ({ ...state, isLoading: true }));
    fetchPage(after, signal, goesOn).then(
      ({ items: more, next }) => {
        if (signal.aborted) return;
        const items = [...before, ...more];
        const continues = goesOn && next !== null && items.length < loadedMax;
        setState({ items, next, isLoaded: true, isLoading: continues, error: undefined });
        if (continues) load(next, items, true);
      },
      (thrown: unknown) => {
        if (!signal.aborted)
          setState((state) => ({ ...state, isLoading: false, error: toRequestError(thrown) }));
      },
    );
  }

  useEffect(() => {
    leaving.current = new AbortController();
    load(undefined, []);
    return () => leaving.current.abort();
  }, [key, attempt]);

  const reload = () => setAttempt((n) => n + 1);
  // Retries only the first page: a retry starts the list over.
  useRetry(state.isLoaded ? undefined : state.error, reload);

  return {
    ...state,
    hasMore: state.next !== null,
    more: () => load(state.next ?? undefined, state.items),
    all: () => load(state.next ?? undefined, state.items, true),
    reload,
  };
}

/** Fetches a page. `isLarge`: as many items as a page of the list can have. */
export type FetchPage<Item> = (
  after: string | undefined,
  signal: AbortSignal,
  isLarge: boolean,
) => Promise<Page<Item>>;

interface State<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly isLoaded: boolean;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

const initial = { items: [], next: null, isLoaded: false, isLoading: true, error: undefined };

import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountPart } from '../../core/accounts/account-revisions.ts';
import { useRefresh } from './live/account-events.ts';
import { isUnreachable, toRequestError, type RequestError } from './request-error.ts';
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
/** Maximum number of loaded items that are loaded again after a change. */
const refreshedMax = 1000;

/**
 * Loads a list page by page. Cursors are keys, so that new items do not shift pages.
 *
 * @param key everything that the list depends on, as text; a change loads the first page again.
 * @param parts parts of the account whose changes load the list again, up to the last loaded item, without `isLoading`. Lists of more than
 *   1000 loaded items stay as they are. Default: none.
 */
export function usePages<Item>(
  key: string,
  fetchPage: FetchPage<Item>,
  parts: readonly AccountPart[] = [],
): Pages<Item> {
  const [state, setState] = useState<State<Item>>(initial);
  const [attempt, setAttempt] = useState(0);
  const newest = useRef(fetchPage);
  newest.current = fetchPage;
  /** The state of the next render. */
  const shown = useRef(state);
  /** The request in flight; null without one. A refresh gives way to all others. */
  const running = useRef<{ readonly leaving: AbortController; readonly isRefresh: boolean } | null>(null);
  const isOutdated = useRef(false);
  /** Repeats what has failed. */
  const again = useRef<() => void>(() => undefined);

  function update(next: (before: State<Item>) => State<Item>): void {
    shown.current = next(shown.current);
    setState(shown.current);
  }

  function begin(isRefresh: boolean): AbortSignal {
    if (running.current?.isRefresh === true) isOutdated.current = true;
    running.current?.leaving.abort();
    const leaving = new AbortController();
    running.current = { leaving, isRefresh };
    return leaving.signal;
  }

  function end(signal: AbortSignal, next: (before: State<Item>) => State<Item>): void {
    if (signal.aborted) return;
    running.current = null;
    update(next);
  }

  function fail(signal: AbortSignal, thrown: unknown): void {
    end(signal, (before) => ({ ...before, isLoading: false, error: toRequestError(thrown) }));
  }

  /** @param goesOn loads the pages after it, too. */
  function load(after: string | undefined, before: readonly Item[], goesOn = false): void {
    const signal = begin(false);
    again.current = () => load(after, before, goesOn);
    // Keeps the error until a response: requests to an unavailable server repeat.
    update((before) => ({ ...before, isLoading: true }));
    newest.current(after, signal, goesOn).then(
      ({ items: more, next }) => {
        const items = [...before, ...more];
        const continues = goesOn && next !== null && items.length < loadedMax;
        end(signal, () => ({ items, next, isLoaded: true, isLoading: continues, error: undefined }));
        if (signal.aborted) return;
        if (continues) load(next, items, true);
        else if (isOutdated.current) void refresh();
      },
      (thrown: unknown) => fail(signal, thrown),
    );
  }

  /** Loads the items again that are loaded. */
  async function refresh(): Promise<void> {
    const { isLoaded, items } = shown.current;
    isOutdated.current = running.current !== null;
    if (running.current !== null || !isLoaded || items.length > refreshedMax) return;
    const signal = begin(true);
    again.current = () => void refresh();
    await fetchItems(newest.current, items.length, signal).then(
      (page) => {
        end(signal, () => ({ ...page, isLoaded: true, isLoading: false, error: undefined }));
        if (!signal.aborted && isOutdated.current) void refresh();
      },
      (thrown: unknown) => fail(signal, thrown),
    );
  }

  useEffect(() => {
    isOutdated.current = false;
    load(undefined, []);
    return () => {
      running.current?.leaving.abort();
      running.current = null;
    };
  }, [key, attempt]);

  const reload = () => setAttempt((n) => n + 1);
  useRefresh(parts, async () => {
    const { error } = shown.current;
    if (error === undefined || !isUnreachable(error)) await refresh();
  });
  useRetry(state.error, () => again.current());

  return {
    ...state,
    hasMore: state.next !== null,
    more: () => load(state.next ?? undefined, state.items),
    all: () => load(state.next ?? undefined, state.items, true),
    reload,
  };
}

/** Fetches at least this many items from the start of a list, if it has them. The first page has the size that it has at first. */
async function fetchItems<Item>(
  fetchPage: FetchPage<Item>,
  count: number,
  signal: AbortSignal,
): Promise<Page<Item>> {
  let { items, next } = await fetchPage(undefined, signal, false);
  while (next !== null && items.length < count) {
    const page = await fetchPage(next, signal, true);
    items = [...items, ...page.items];
    next = page.next;
  }
  return { items, next };
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

import { isUnreachable, toRequestError, type RequestError } from './request-error.ts';

/** Page of a list, and the cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Fetches a page. `isLarge`: as many items as a page of the list can have. */
export type FetchPage<Item> = (
  after: string | undefined,
  signal: AbortSignal,
  isLarge: boolean,
) => Promise<Page<Item>>;

/** Loaded part of a list. */
export interface LoadedPages<Item> extends Page<Item> {
  /** True once the first page is loaded. */
  readonly isLoaded: boolean;
  /** True while a page is loaded, except for a refresh. */
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

/** List that is loaded page by page. A request ends the one before it. */
export interface PageLoader {
  /** Loads the first page. */
  readonly load: () => void;
  /** Loads the next page. */
  readonly more: () => void;
  /** Loads all further pages, up to `loadedMax` items. */
  readonly all: () => void;
  /** Loads the items again that are loaded, at once or after the request in flight. Lists of more than 1000 items stay as they are. */
  readonly refresh: () => Promise<void>;
  /** Repeats what has failed. */
  readonly retry: () => void;
  /** Ends the request in flight. */
  readonly stop: () => void;
}

/** Maximum number of items that `all` loads. */
export const loadedMax = 100_000;
const refreshedMax = 1000;

/** State before the first page. */
export const noPages = { items: [], next: null, isLoaded: false, isLoading: true, error: undefined };

/** Creates the loader of a list. Cursors are keys, so that new items do not shift pages. */
export function createPageLoader<Item>(
  fetchPage: FetchPage<Item>,
  onState: (state: LoadedPages<Item>) => void,
): PageLoader {
  let state: LoadedPages<Item> = noPages;
  /** The request in flight; null without one. */
  let running: { readonly leaving: AbortController; readonly isRefresh: boolean } | null = null;
  /** True if the list has changed since the start of the request in flight. */
  let isOutdated = false;
  let retry: () => void = () => undefined;

  function update(next: Partial<LoadedPages<Item>>): void {
    state = { ...state, ...next };
    onState(state);
  }

  function stop(): void {
    running?.leaving.abort();
    running = null;
  }

  /** Runs a request. Its result is ignored once another one has begun. */
  async function run<Result>(
    isRefresh: boolean,
    request: (signal: AbortSignal) => Promise<Result>,
    onResult: (result: Result) => void,
  ): Promise<void> {
    if (running?.isRefresh === true) isOutdated = true;
    stop();
    const leaving = new AbortController();
    running = { leaving, isRefresh };
    const end = (then: () => void) => {
      if (leaving.signal.aborted) return;
      running = null;
      then();
    };
    await request(leaving.signal).then(
      (result) => end(() => onResult(result)),
      (thrown: unknown) => end(() => update({ isLoading: false, error: toRequestError(thrown) })),
    );
  }

  /** @param goesOn loads the pages after it, too. */
  function load(after: string | undefined, before: readonly Item[], goesOn = false): void {
    retry = () => load(after, before, goesOn);
    // Keeps the error until a response: requests to an unavailable server repeat.
    update({ isLoading: true });
    void run(
      false,
      (signal) => fetchPage(after, signal, goesOn),
      ({ items: more, next }) => {
        const items = [...before, ...more];
        const continues = goesOn && next !== null && items.length < loadedMax;
        update({ items, next, isLoaded: true, isLoading: continues, error: undefined });
        if (continues) load(next, items, true);
        else if (isOutdated) void refresh();
      },
    );
  }

  async function refresh(): Promise<void> {
    isOutdated = running !== null;
    const { isLoaded, items, error } = state;
    if (isOutdated || !isLoaded || items.length > refreshedMax) return;
    // Without a server, `retry` loads again.
    if (error !== undefined && isUnreachable(error)) return;
    await reloadItems();
  }

  async function reloadItems(): Promise<void> {
    retry = () => void reloadItems();
    await run(
      true,
      (signal) => fetchItems(fetchPage, state.items.length, signal),
      (page) => {
        update({ ...page, error: undefined });
        if (isOutdated) void refresh();
      },
    );
  }

  return {
    load: () => {
      isOutdated = false;
      load(undefined, []);
    },
    more: () => load(state.next ?? undefined, state.items),
    all: () => load(state.next ?? undefined, state.items, true),
    refresh,
    retry: () => retry(),
    stop,
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

import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountPart } from '../../core/accounts/account-revisions.ts';
import { useRefresh } from './live/account-events.ts';
import {
  createPageLoader,
  noPages,
  type FetchPage,
  type LoadedPages,
  type PageLoader,
} from './page-loader.ts';
import { useRetry } from './use-retry.ts';

/** Loaded part of a list, and the ways to load more. */
export interface Pages<Item> extends Omit<LoadedPages<Item>, 'next'>, Pick<PageLoader, 'more' | 'all'> {
  readonly hasMore: boolean;
  /** Loads the first page again. */
  readonly reload: () => void;
}

/**
 * Loads a list page by page.
 *
 * @param key everything that the list depends on, as text; a change loads the first page again.
 * @param parts parts of the account whose changes load the list again, up to the last loaded item. Default: none.
 */
export function usePages<Item>(
  key: string,
  fetchPage: FetchPage<Item>,
  parts: readonly AccountPart[] = [],
): Pages<Item> {
  const newest = useRef(fetchPage);
  newest.current = fetchPage;
  const [{ next, ...state }, setState] = useState<LoadedPages<Item>>(noPages);
  const [loader] = useState(() => createPageLoader<Item>((...page) => newest.current(...page), setState));
  useEffect(() => {
    loader.load();
    return loader.stop;
  }, [key]);
  useRefresh(parts, loader.refresh);
  useRetry(state.error, loader.retry);
  return { ...state, hasMore: next !== null, more: loader.more, all: loader.all, reload: loader.load };
}

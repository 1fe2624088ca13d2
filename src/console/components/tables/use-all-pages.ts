import { useEffect } from 'preact/hooks';
import { loadedMax } from '../../api/page-loader.ts';
import type { Pages } from '../../api/use-pages.ts';

/** Loads all pages of a list while it is wanted, up to `loadedMax` items. Returns true while pages are missing. */
export function useAllPages<Row>(
  { items, hasMore, isLoading, error, all }: Pages<Row>,
  isWanted: boolean,
): boolean {
  const isPartial = isWanted && hasMore && items.length < loadedMax;
  useEffect(() => {
    if (isPartial && !isLoading && error === undefined) all();
  }, [isPartial, isLoading, error]);
  return isPartial;
}

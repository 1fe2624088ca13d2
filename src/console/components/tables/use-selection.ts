import { useEffect, useState } from 'preact/hooks';
import { loadedMax } from '../../api/page-loader.ts';
import type { Pages } from '../../api/use-pages.ts';
import type { Selection } from './selection.ts';

/** Selected rows of a list. `selectAll` loads the rest of the list first, up to `loadedMax` rows. */
export function useSelection<Row>(pages: Pages<Row>, keyOf: (row: Row) => string | number) {
  const { items, hasMore, isLoading, error } = pages;
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [wantsAll, setWantsAll] = useState(false);
  const keyText = (row: Row) => String(keyOf(row));
  const selection: Selection = {
    keys,
    toggle: (changed, isSelected) =>
      setKeys((before) => {
        const next = new Set(before);
        for (const key of changed) {
          if (isSelected) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
  };
  useEffect(() => {
    if (!wantsAll || isLoading) return;
    if (error === undefined && hasMore && items.length < loadedMax) pages.all();
    else {
      setWantsAll(false);
      if (error === undefined) selection.toggle(items.map(keyText), true);
    }
  }, [wantsAll, isLoading, error]);
  return {
    selection,
    selected: keys.size === 0 ? [] : items.filter((row) => keys.has(keyText(row))),
    selectAll: () => setWantsAll(true),
    clear: () => setKeys(new Set()),
  };
}

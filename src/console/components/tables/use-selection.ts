import { useEffect, useState } from 'preact/hooks';
import type { Pages } from '../../api/use-pages.ts';
import type { Selection } from './selection.ts';
import { useAllPages } from './use-all-pages.ts';

/** Selected rows of a list. To select all of them, it loads the rest of the list first. */
export function useSelection<Row>(pages: Pages<Row>, keyOf: (row: Row) => string | number) {
  const { items, hasMore, error } = pages;
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
  const isPartial = useAllPages(pages, wantsAll);
  useEffect(() => {
    if (!wantsAll || (isPartial && error === undefined)) return;
    setWantsAll(false);
    if (error === undefined) selection.toggle(items.map(keyText), true);
  }, [wantsAll, isPartial, error]);
  const rows = keys.size === 0 ? [] : items.filter((row) => keys.has(keyText(row)));
  return {
    selection,
    rows,
    /** Selects all rows that match. Undefined: they are. */
    onAll: hasMore || rows.length < items.length ? () => setWantsAll(true) : undefined,
    onClear: () => setKeys(new Set()),
  };
}

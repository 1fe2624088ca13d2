import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Selection } from './selection.ts';
import { rowAction, targetRow } from './row-keys.ts';
import type { useVisibleRows } from './use-visible-rows.ts';

/** Handles the keys of a table: they move the focus between rows, open a row, and select it. */
export function useRowKeys<Row>({
  rows,
  keyOf,
  selection,
  loadRest,
  view: { scroller, reveal },
}: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly selection: Selection | null;
  /** Loads the rows that are not loaded; null when all are. */
  readonly loadRest: (() => void) | null;
  readonly view: Pick<ReturnType<typeof useVisibleRows>, 'scroller' | 'reveal'>;
}): (event: KeyboardEvent) => void {
  const [focused, setFocused] = useState<number | null>(null);
  // Before the next key, which acts on the row with the focus.
  useLayoutEffect(() => {
    if (focused === null) return;
    scroller.current
      ?.querySelector<HTMLElement>(`tr[data-index="${focused}"]`)
      ?.focus({ preventScroll: true });
  }, [focused]);
  // The last row of all gets the focus once it is loaded.
  const [awaitsLast, setAwaitsLast] = useState(false);
  useEffect(() => {
    if (!awaitsLast || loadRest !== null) return;
    setAwaitsLast(false);
    focusRow(rows.length - 1);
  }, [awaitsLast, loadRest === null]);

  function focusRow(index: number): void {
    reveal(index);
    setFocused(index);
  }

  return (event) => {
    const action = rowAction(event);
    if (action === null || rows.length === 0) return;
    const current = indexOf(event.target);
    const row = current === null ? undefined : rows[current];
    if (action === 'open' && event.target instanceof Element) {
      event.target.querySelector<HTMLElement>('a, .open-row')?.click();
      // What opens has the focus already, and the key would press its first button.
      event.preventDefault();
      return;
    }
    const target = targetRow(action, current, rows.length);
    if (action === 'select' && row !== undefined && selection !== null) {
      const key = String(keyOf(row));
      selection.toggle([key], !selection.keys.has(key));
    } else if (target !== null) {
      const isAwaited = action === 'last' && loadRest !== null;
      setAwaitsLast(isAwaited);
      if (isAwaited) loadRest();
      else focusRow(target);
    } else return;
    event.preventDefault();
  };
}

/** Index of the row that contains an element. */
function indexOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null;
  return row === null ? null : Number(row.dataset['index']);
}

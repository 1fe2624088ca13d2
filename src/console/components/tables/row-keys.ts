/** Meaning of a key in a table whose row, or whole body, has the focus. */
export type RowAction = 'next' | 'previous' | 'first' | 'last' | 'open' | 'select';

const actions: Readonly<Record<string, RowAction>> = {
  ArrowDown: 'next',
  j: 'next',
  ArrowUp: 'previous',
  k: 'previous',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  ' ': 'select',
  x: 'select',
};

/** Reads a key; null for keys that the table leaves to the browser, and for those in a control. */
export function rowAction(event: KeyboardEvent): RowAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.target instanceof Element && event.target.closest('a, button, input, select, summary') !== null)
    return null;
  return actions[event.key] ?? null;
}

/** Computes the row that an action moves the focus to; null without a move. */
export function targetRow(action: RowAction, current: number | null, count: number): number | null {
  switch (action) {
    case 'next':
      return current === null ? 0 : Math.min(current + 1, count - 1);
    case 'previous':
      return current === null ? null : Math.max(current - 1, 0);
    case 'first':
      return 0;
    case 'last':
      return count - 1;
    default:
      return null;
  }
}

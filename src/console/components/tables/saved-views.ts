import { createNamedStore, hasTexts, type NamedStore } from '../named-store.ts';

/** Saved view of a table: its filters, order and columns, as the query of the URL. */
export interface SavedView {
  readonly name: string;
  readonly search: string;
}

/** Saved views of a table, in this browser. */
export function savedViews(table: string): NamedStore<SavedView> {
  return createNamedStore(`nightshift-views-${table}`, (value) => hasTexts(value, ['name', 'search']));
}

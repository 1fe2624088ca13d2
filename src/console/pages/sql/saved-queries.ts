import { createNamedStore, hasTexts } from '../../components/named-store.ts';

/** Query under a name. */
export interface SavedQuery {
  readonly name: string;
  readonly query: string;
}

/** Saved queries, in this browser. */
export const savedQueries = createNamedStore<SavedQuery>('nightshift-queries', (value) =>
  hasTexts(value, ['name', 'query']),
);

import { batchOrigins } from '../../../core/batches/batch-origin.ts';
import type { Query } from '../../api/use-query.ts';
import { batchStateNames } from '../../components/batch-state.tsx';

/** Parameters of the filters. */
const names = ['q', 'state', 'origin', 'tag', 'archived'] as const;

/** True when a filter is set. */
export function hasFilter(query: Query): boolean {
  return names.some((name) => query.get(name) !== '');
}

/** Parses the filters of the URL to those of the API; unknown values are left out. */
export function parseBatchFilter(query: Query) {
  const state = batchStateNames.find(({ value }) => value === query.get('state'));
  const origin = batchOrigins.find((each) => each === query.get('origin'));
  const [search, tag] = [query.get('q').slice(0, 200), query.get('tag').slice(0, 100)];
  return {
    ...(search === '' ? {} : { search }),
    ...(tag === '' ? {} : { tag }),
    ...(state === undefined ? {} : { state: state.value }),
    ...(origin === undefined ? {} : { origin }),
    ...(query.get('archived') === '' ? {} : { archived: 'true' as const }),
  };
}

import { api, read, type Body } from '../../api/client.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { toQuery, type Filter } from './filter.ts';

type Change = Body<'Change'>;

/** Loads the filtered changes page by page. */
export function useChanges(filter: Filter): Pages<Change> {
  return usePages<Change>(
    JSON.stringify(filter),
    async (after, signal) => {
      const query = { ...toQuery(filter), limit: 50, ...(after === undefined ? {} : { after }) };
      const { changes, next } = await read(api.GET('/v1/changes', { params: { query }, signal }));
      return { items: changes, next };
    },
    ['changes'],
  );
}

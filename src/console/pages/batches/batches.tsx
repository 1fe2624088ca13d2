import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { useQuery } from '../../api/use-query.ts';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { batchColumns } from './batch-columns.tsx';
import { hasFilter, parseBatchFilter } from './batch-filter.ts';
import { BatchFilterForm } from './batch-filter-form.tsx';
import { SelectedBatches } from './selected-batches.tsx';

type Batch = Body<'Batch'>;

/** All batches of the account, newest first, with filters, and with actions on the selected ones. */
export function Batches() {
  const query = useQuery();
  const filter = parseBatchFilter(query);
  const [counts, setCounts] = useState<Body<'BatchCounts'> | null>(null);
  const pages = usePages<Batch>(
    `batches ${JSON.stringify(filter)}`,
    async (after, signal, isLarge) => {
      const params = { ...filter, limit: isLarge ? 100 : 20, ...(after === undefined ? {} : { after }) };
      const list = await read(api.GET('/v1/batches', { params: { query: params }, signal }));
      if (!signal.aborted) setCounts(list.counts);
      return { items: list.batches, next: list.next };
    },
    ['batches'],
  );
  const newBatch = can('batches:write') && (
    <a class="button primary" href="/batches/new">
      New batch
    </a>
  );
  return (
    <Page
      title="Batches"
      lead="Files of companies and e-mail addresses, with their results."
      actions={newBatch}
    >
      <BatchFilterForm query={query} counts={counts} />
      <PagedTable
        pages={pages}
        caption="Batches, newest first"
        view="batches"
        count={{ noun: ['batch', 'batches'], matching: counts?.total }}
        columns={batchColumns(query)}
        keyOf={({ id }) => id}
        {...(can('batches:write')
          ? {
              actions: (batches: readonly Batch[], clear: () => void) => (
                <SelectedBatches
                  batches={batches}
                  onChanged={() => {
                    clear();
                    pages.reload();
                  }}
                />
              ),
            }
          : {})}
        empty={
          hasFilter(query) ? (
            <p>No batches match.</p>
          ) : (
            <>
              <p>No batches yet. Upload a list of companies, review the cost, and start the batch.</p>
              {newBatch}
            </>
          )
        }
      />
    </Page>
  );
}

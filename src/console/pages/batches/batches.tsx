import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { BatchState } from '../../components/batch-state.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { SampleBadge } from '../../components/ads/sample.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';

type Batch = Body<'Batch'>;

/** All batches of the account, newest first. */
export function Batches() {
  const pages = usePages('batches', async (after, signal, isLarge) => {
    const query = { limit: isLarge ? 100 : 20, ...(after === undefined ? {} : { after }) };
    const { batches, next } = await read(api.GET('/v1/batches', { params: { query }, signal }));
    return { items: batches, next };
  });
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
      <PagedTable
        pages={pages}
        caption="Batches, newest first"
        view="batches"
        count={{ noun: ['batch', 'batches'] }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>No batches yet. Upload a list of companies, review the cost, and start the batch.</p>
            {newBatch}
          </>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Batch>[] = [
  {
    head: 'Batch',
    value: ({ name }) => name,
    isHeading: true,
    cell: ({ id, name, sources }) => (
      <>
        <a href={`/batches/${id}`}>{name}</a> <SampleBadge sources={sources} />
      </>
    ),
  },
  { head: 'State', value: ({ state }) => state, cell: ({ state }) => <BatchState state={state} /> },
  {
    head: 'Done',
    value: ({ lookups }) => lookups.total - lookups.open,
    kind: 'number',
    cell: ({ lookups }) => `${formatCount(lookups.total - lookups.open)} of ${formatCount(lookups.total)}`,
  },
  {
    head: 'With ads',
    value: ({ lookups }) => lookups.found,
    kind: 'number',
    cell: ({ lookups }) => formatCount(lookups.found),
  },
  {
    head: 'Rejected rows',
    value: ({ rows }) => rows.rejected,
    kind: 'number',
    cell: ({ rows }) => formatCount(rows.rejected),
  },
  {
    head: 'Credits',
    value: ({ credits }) => credits.charged,
    kind: 'number',
    cell: ({ credits }) => formatCredits(credits.charged),
  },
  {
    head: 'Created',
    value: (batch) => batch.created_at,
    kind: 'day',
    cell: (batch) => <Moment at={batch.created_at} />,
  },
];

import { api, read, type Body } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { BatchState } from '../../components/batch-state.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SampleBadge } from '../../components/sample.tsx';
import type { Column } from '../../components/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';

type Batch = Body<'Batch'>;

/** All lists of the account, the newest first. */
export function Lists() {
  const pages = usePages('lists', async (after, signal) => {
    const query = after === undefined ? {} : { after };
    const { batches, next } = await read(api.GET('/v1/batches', { params: { query }, signal }));
    return { items: batches, next };
  });
  const newList = may('batches:write') && (
    <a class="button primary" href="/lists/new">
      New list
    </a>
  );
  return (
    <Page
      title="Lists"
      lead="Companies and addresses that were handed in, and what became of them."
      actions={newList}
    >
      <PagedTable
        pages={pages}
        caption="Lists, the newest first"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>There is no list yet. Drop a CSV of companies, see what it will cost, and start it.</p>
            {newList}
          </>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Batch>[] = [
  {
    head: 'List',
    isHeading: true,
    cell: ({ id, file_name: name, sources }) => (
      <>
        <a href={`/batches/${id}`}>{name}</a> <SampleBadge sources={sources} />
      </>
    ),
  },
  { head: 'State', cell: ({ state }) => <BatchState state={state} /> },
  {
    head: 'Done',
    kind: 'number',
    cell: ({ lookups }) => `${formatCount(lookups.total - lookups.open)} of ${formatCount(lookups.total)}`,
  },
  { head: 'With ads', kind: 'number', cell: ({ lookups }) => formatCount(lookups.found) },
  { head: 'Rejected rows', kind: 'number', cell: ({ rows }) => formatCount(rows.rejected) },
  { head: 'Credits', kind: 'number', cell: ({ credits }) => formatCredits(credits.charged) },
  { head: 'Handed in', kind: 'day', cell: (batch) => <Moment at={batch.created_at} /> },
];

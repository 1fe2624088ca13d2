import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { SampleBadge } from '../../components/ads/sample.tsx';
import { BatchState } from '../../components/batch-state.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';
import { originText } from '../batch/origin.tsx';

type Batch = Body<'Batch'>;

/** Columns of the batches. A click on a tag filters by it. */
export function batchColumns(query: Query): readonly Column<Batch>[] {
  return [
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
      head: 'Tags',
      value: ({ tags }) => tags.join(', '),
      cell: ({ tags }) =>
        tags.map((tag) => (
          <span key={tag}>
            <a href={query.hrefWith({ tag })}>{tag}</a>{' '}
          </span>
        )),
    },
    { head: 'Origin', value: originOf, cell: originOf },
    {
      head: 'Owner',
      value: ownerOf,
      isHidden: true,
      cell: ownerOf,
    },
    {
      head: 'Created',
      value: (batch) => batch.created_at,
      kind: 'day',
      cell: (batch) => <Moment at={batch.created_at} />,
    },
  ];
}

function originOf({ origin }: Batch): string {
  return originText(origin);
}

function ownerOf({ owner }: Batch): string {
  return owner?.name ?? owner?.id ?? '';
}

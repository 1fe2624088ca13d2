import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import type { Query } from '../../api/use-query.ts';
import { formatDay, browserTimeZone } from '../../components/dates/days.ts';
import { Field } from '../../components/forms/field.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCredits } from '../../components/values.tsx';
import { freeReasons, operationLabels } from './usage-labels.ts';

type Line = Body<'UsageLine'>;
type By = Body<'Usage'>['by'];

/** Table of charged and free lookups, with the reasons. */
export function Usage({ by, query }: { readonly by: By; readonly query: Query }) {
  const [from, to] = [dayOf(query, 'from'), dayOf(query, 'to')];
  const pages = usePages<Line>(
    JSON.stringify([by, from, to]),
    async (after, signal) => {
      const params = {
        by,
        time_zone: browserTimeZone(),
        ...(from === '' ? {} : { from }),
        ...(to === '' ? {} : { to }),
        ...(after === undefined ? {} : { after }),
      };
      const { usage, next } = await read(api.GET('/v1/credits/usage', { params: { query: params }, signal }));
      // Newest first, as in all tables.
      return { items: by === 'day' ? [...usage].sort(newestFirst) : usage, next };
    },
    ['balance'],
  );
  return (
    <>
      <div class="filters">
        <DayField label="From" name="from" query={query} />
        <DayField label="To" name="to" query={query} />
      </div>
      <PagedTable
        pages={pages}
        caption={`Credits ${captions[by]}`}
        columns={[first[by], ...columns]}
        keyOf={({ day, batch, operation }) => `${day} ${batch} ${operation}`}
        empty={
          <p>
            {from === '' && by === 'day'
              ? 'No usage in the last 30 days. Choose an earlier date.'
              : 'No usage in this time range.'}
          </p>
        }
      />
    </>
  );
}

const captions: Readonly<Record<By, string>> = {
  day: 'by day, newest first',
  batch: 'by batch, newest first',
  operation: 'by operation',
};

const first: Readonly<Record<By, Column<Line>>> = {
  day: {
    head: 'Day',
    value: ({ day }) => day,
    kind: 'day',
    isHeading: true,
    cell: ({ day }) => formatDay(day ?? ''),
  },
  batch: {
    head: 'Batch',
    value: ({ file_name: name }) => name,
    isHeading: true,
    cell: ({ batch, file_name: name }) =>
      batch === null ? 'Single searches and checks' : <a href={`/batches/${batch}`}>{name ?? batch}</a>,
  },
  operation: {
    head: 'Operation',
    isHeading: true,
    cell: ({ operation }) => (operation === null ? '–' : operationLabels[operation]),
  },
};

const columns: readonly Column<Line>[] = [
  {
    head: 'Lookups',
    value: ({ lookups }) => lookups,
    kind: 'number',
    cell: ({ lookups }) => formatCount(lookups),
  },
  {
    head: 'Charged',
    value: ({ charged }) => charged,
    kind: 'number',
    cell: ({ charged }) => formatCount(charged),
  },
  {
    head: 'Credits',
    value: ({ credits }) => credits,
    kind: 'number',
    cell: ({ credits }) => formatCredits(credits),
  },
  {
    head: 'Free',
    value: ({ free }) => free.total,
    kind: 'number',
    cell: ({ free }) => formatCount(free.total),
  },
  { head: 'Reasons', cell: ({ free }) => <span class="small">{freeReasons(free)}</span> },
];

function newestFirst(a: Line, b: Line): number {
  return (b.day ?? '').localeCompare(a.day ?? '');
}

function DayField({
  label,
  name,
  query,
}: {
  readonly label: string;
  readonly name: string;
  readonly query: Query;
}) {
  return (
    <Field label={label}>
      <input
        type="date"
        value={dayOf(query, name)}
        onChange={({ currentTarget }) => query.set({ [name]: currentTarget.value })}
      />
    </Field>
  );
}

function dayOf(query: Query, name: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(query.get(name)) ? query.get(name) : '';
}

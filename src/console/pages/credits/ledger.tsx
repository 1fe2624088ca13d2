import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { companyLabel } from '../../components/company.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';
import { entryLabel, operationLabels } from './usage-labels.ts';

type Entry = Body<'LedgerEntry'>;

/** Table of all ledger entries, newest first. */
export function Ledger() {
  const pages = usePages<Entry>(
    'ledger',
    async (after, signal, isLarge) => {
      const query = { limit: isLarge ? 1000 : 100, ...(after === undefined ? {} : { after }) };
      const { entries, next } = await read(api.GET('/v1/ledger', { params: { query }, signal }));
      return { items: entries, next };
    },
    ['balance'],
  );
  return (
    <PagedTable
      pages={pages}
      caption="Ledger entries, newest first"
      view="ledger"
      count={{ noun: ['entry', 'entries'] }}
      columns={columns}
      keyOf={({ seq }) => seq}
      empty={<p>No entries yet. Ask your operator to grant credits.</p>}
    />
  );
}

const columns: readonly Column<Entry>[] = [
  {
    head: 'Entry',
    value: ({ seq }) => seq,
    kind: 'number',
    isHeading: true,
    cell: ({ seq }) => formatCount(seq),
  },
  { head: 'Time', value: ({ at }) => at, kind: 'day', cell: ({ at }) => <Moment at={at} /> },
  { head: 'Type', value: (entry) => entryLabel(entry), cell: (entry) => entryLabel(entry) },
  {
    head: 'Lookup',
    value: (entry) => entry.email ?? entry.company_domain ?? entry.company_name,
    cell: (entry) => <Subject entry={entry} />,
  },
  {
    head: 'Available',
    value: ({ credits }) => credits,
    kind: 'number',
    cell: ({ credits }) => signed(credits),
  },
  { head: 'Reserved', value: ({ held }) => held, kind: 'number', cell: ({ held }) => signed(held) },
  {
    head: 'Available after',
    value: ({ credits_after: after }) => after,
    kind: 'number',
    cell: ({ credits_after: after }) => formatCredits(after),
  },
];

function Subject({ entry }: { readonly entry: Entry }) {
  const { operation, email, batch, request_id: request } = entry;
  if (operation === null && batch === null) return <>–</>;
  const subject = operation === 'email_validation' ? (email ?? 'erased address') : companyLabel(entry);
  return (
    <>
      {operation !== null && subject}
      <div class="quiet small">
        {operation !== null && `${operationLabels[operation]}, `}
        {batch === null ? `request ${request}` : <a href={`/batches/${batch}`}>batch</a>}
      </div>
    </>
  );
}

function signed(credits: number): string {
  if (credits === 0) return '–';
  return `${credits > 0 ? '+' : '−'}${formatCredits(Math.abs(credits))}`;
}

import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { companyLabel } from '../../components/company.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { formatCount, formatCredits, Moment } from '../../components/values.tsx';
import { entryLabels, operationLabels } from './usage-labels.ts';

type Entry = Body<'LedgerEntry'>;

/** Every movement of credits, the newest first. */
export function Ledger() {
  const pages = usePages<Entry>('ledger', async (after, signal) => {
    const query = { limit: 100, ...(after === undefined ? {} : { after }) };
    const { entries, next } = await read(api.GET('/v1/ledger', { params: { query }, signal }));
    return { items: entries, next };
  });
  return (
    <PagedTable
      pages={pages}
      caption="Every movement of credits, the newest first"
      columns={columns}
      keyOf={({ seq }) => seq}
      empty={<p>Nothing has moved yet. Whoever runs the service grants credits.</p>}
    />
  );
}

const columns: readonly Column<Entry>[] = [
  { head: 'Entry', kind: 'number', isHeading: true, cell: ({ seq }) => formatCount(seq) },
  { head: 'When', kind: 'day', cell: ({ at }) => <Moment at={at} /> },
  { head: 'What', cell: (entry) => entryLabels(entry) },
  { head: 'For', cell: (entry) => <About entry={entry} /> },
  { head: 'To be spent', kind: 'number', cell: ({ credits }) => signed(credits) },
  { head: 'Held', kind: 'number', cell: ({ held }) => signed(held) },
  { head: 'Then', kind: 'number', cell: ({ credits_after: after }) => formatCredits(after) },
];

function About({ entry }: { readonly entry: Entry }) {
  const { operation, email, batch, request_id: request } = entry;
  if (operation === null && batch === null) return <>–</>;
  const subject =
    operation === 'email_validation' ? (email ?? 'an address that is forgotten') : companyLabel(entry);
  return (
    <>
      {operation !== null && subject}
      <div class="quiet small">
        {operation !== null && `${operationLabels[operation]}, `}
        {batch === null ? `request ${request}` : <a href={`/batches/${batch}`}>the list</a>}
      </div>
    </>
  );
}

function signed(credits: number): string {
  if (credits === 0) return '–';
  return `${credits > 0 ? '+' : '−'}${formatCredits(Math.abs(credits))}`;
}

import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { formatCredits } from '../../components/values.tsx';

type Row = Body<'PreviewRow'>;

/** Preview of the first rows: the status of each, and the parsed values. */
export function PreviewTable({ preview }: { readonly preview: readonly Row[] }) {
  return (
    <Table
      caption="First rows of the file"
      columns={columns}
      rows={preview}
      keyOf={({ row }) => row}
      rowClass={({ becomes }) => `row-${becomes}`}
    />
  );
}

const columns: readonly Column<Row>[] = [
  { head: 'Line', kind: 'number', isHeading: true, cell: ({ line }) => line },
  { head: 'Status', cell: (row) => <Status row={row} /> },
  { head: 'Website', cell: ({ company_domain: domain }) => textOf(domain) },
  { head: 'Name', cell: ({ company_name: name }) => textOf(name) },
  { head: 'E-mail', cell: ({ email }) => textOf(email) },
  { head: 'Note', cell: (row) => row.reason ?? row.warning ?? '' },
  { head: 'Max. credits', kind: 'number', cell: ({ credits }) => formatCredits(credits) },
  { head: 'Original row', cell: ({ cells }) => <span class="quiet small">{excerpt(cells)}</span> },
];

function Status({ row: { becomes, same_as_line: line } }: { readonly row: Row }) {
  if (becomes === 'rejected') return <Badge tone="bad">Rejected</Badge>;
  if (becomes === 'duplicate') return <Badge tone="warm">Duplicate of line {line}</Badge>;
  return <Badge tone="good">Accepted</Badge>;
}

function textOf(text: string | null) {
  return text === null ? <span class="quiet">–</span> : text;
}

const excerptCharsMax = 120;

function excerpt(cells: readonly string[]): string {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
  return text.length > excerptCharsMax ? `${text.slice(0, excerptCharsMax - 1)}…` : text;
}

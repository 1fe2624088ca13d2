import type { Body } from '../../api/client.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';

/** Repeated rows: looked up once, paid for once. Empty without any. */
export function RepeatedRows({ check }: { readonly check: Body<'Check'> }) {
  if (check.repeated.length === 0) return null;
  return (
    <Section
      title="Repeated"
      lead={`${formatCounted(check.rows.duplicates, 'row names', 'rows name')} nothing new. Each company and address is looked up once; all its rows get the answer.`}
    >
      <Table
        caption="What most rows name"
        columns={[
          { head: 'Company or address', isHeading: true, cell: ({ text }) => text },
          { head: 'Rows', kind: 'number', cell: ({ rows }) => formatCount(rows) },
          { head: 'First on line', kind: 'number', cell: ({ first_line: line }) => line },
        ]}
        rows={check.repeated}
        keyOf={({ operation, text, first_line: line }) => `${operation} ${text} ${line}`}
      />
    </Section>
  );
}

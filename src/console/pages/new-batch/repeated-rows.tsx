import type { Body } from '../../api/client.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/tables/table.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';

/** Duplicate rows, which are looked up and charged once. Empty without any. */
export function RepeatedRows({ check }: { readonly check: Body<'Check'> }) {
  if (check.repeated.length === 0) return null;
  return (
    <Section
      title="Duplicate rows"
      lead={`${formatCounted(check.rows.duplicates, 'row repeats', 'rows repeat')} a company or address. Each is charged once, and all its rows get the result.`}
    >
      <Table
        caption="Most repeated companies and addresses"
        columns={[
          { head: 'Company or address', isHeading: true, cell: ({ text }) => text },
          { head: 'Rows', kind: 'number', cell: ({ rows }) => formatCount(rows) },
          { head: 'First line', kind: 'number', cell: ({ first_line: line }) => line },
        ]}
        rows={check.repeated}
        keyOf={({ operation, text, first_line: line }) => `${operation} ${text} ${line}`}
      />
    </Section>
  );
}

import type { Body } from '../../api/client.ts';
import { Banner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/tables/table.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';

/** Remarks about the whole file, such as hidden rows. Empty without any. */
export function FileFindings({ findings }: { readonly findings: readonly string[] }) {
  return findings.map((finding) => (
    <Banner key={finding} kind="warning">
      <p>{finding.replace(/(?<![.!?])$/, '.')}</p>
    </Banner>
  ));
}

/** First rows with a warning. Empty without any. */
export function WarnedRows({ check: { rows, warnings } }: { readonly check: Body<'Check'> }) {
  if (rows.with_warnings === 0) return null;
  const isCut = warnings.length < rows.with_warnings;
  return (
    <Section
      title="Rows with warnings"
      lead={`${formatCounted(rows.with_warnings, 'row')} of ${formatCount(rows.total)} are looked up as the warning says.`}
    >
      <details>
        <summary>{isCut ? `First ${warnings.length} rows with warnings` : 'Rows with warnings'}</summary>
        <Table
          caption="Rows with warnings"
          columns={[
            { head: 'Line', kind: 'number', isHeading: true, cell: ({ line }) => line },
            { head: 'Warning', cell: ({ text }) => text },
          ]}
          rows={warnings}
          keyOf={({ line }) => line}
        />
      </details>
    </Section>
  );
}

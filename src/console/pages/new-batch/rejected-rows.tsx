import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/tables/table.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import type { Draft } from './draft.ts';
import { downloadRejected } from './submit.ts';

/** Rejected rows with their reasons, and a download of all of them. Empty without any. */
export function RejectedRows({ draft, check }: { readonly draft: Draft; readonly check: Body<'Check'> }) {
  const downloading = useAction(() => downloadRejected(draft));
  const { total, rejected } = check.rows;
  if (rejected === 0) return null;
  return (
    <Section
      title="Rejected rows"
      lead={`${formatCount(rejected)} of ${formatCounted(total, 'row')} cannot be looked up. They are free, and the export includes them with the reason.`}
      actions={
        <button type="button" disabled={downloading.isRunning} onClick={downloading.run}>
          {downloading.isRunning ? 'Preparing …' : `Download ${formatCounted(rejected, 'rejected row')}`}
        </button>
      }
    >
      <ErrorBanner error={downloading.error} />
      <Table
        caption="Reasons, most frequent first"
        isCaptionShown
        columns={[
          { head: 'Reason', isHeading: true, cell: ({ reason }) => reason },
          { head: 'Rows', kind: 'number', cell: ({ rows }) => formatCount(rows) },
        ]}
        rows={check.rejected_by_reason}
        keyOf={({ reason }) => reason}
      />
      <details>
        <summary>First rejected rows</summary>
        <Table
          caption="Rejected rows"
          columns={[
            { head: 'Line', kind: 'number', isHeading: true, cell: ({ line }) => line },
            { head: 'Reason', cell: ({ text }) => text },
          ]}
          rows={check.rejected}
          keyOf={({ line }) => line}
        />
      </details>
    </Section>
  );
}

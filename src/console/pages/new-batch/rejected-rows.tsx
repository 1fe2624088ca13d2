import type { Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import type { Draft } from './draft.ts';
import { downloadRejected } from './submit.ts';

/** The rows that name nothing to look up, and why; all of them as a file. Nothing where there are none. */
export function RejectedRows({ draft, check }: { readonly draft: Draft; readonly check: Body<'Check'> }) {
  const downloading = useAction(() => downloadRejected(draft));
  const { total, rejected } = check.rows;
  if (rejected === 0) return null;
  return (
    <Section
      title="Rejected rows"
      lead={`${formatCount(rejected)} of ${formatCounted(total, 'row')} cannot be looked up. They come back in the export with their reason, and cost nothing.`}
      actions={
        <button type="button" disabled={downloading.isRunning} onClick={downloading.run}>
          {downloading.isRunning ? 'Preparing …' : `Download ${formatCounted(rejected, 'rejected row')}`}
        </button>
      }
    >
      <ErrorBanner failure={downloading.failure} />
      <Table
        caption="Reasons, the most frequent first"
        isCaptionShown
        columns={[
          { head: 'Reason', isHeading: true, cell: ({ reason }) => reason },
          { head: 'Rows', kind: 'number', cell: ({ rows }) => formatCount(rows) },
        ]}
        rows={check.rejected_by_reason}
        keyOf={({ reason }) => reason}
      />
      <details>
        <summary>The first of them, line by line</summary>
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

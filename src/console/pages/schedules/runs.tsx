import { api, read, type Body } from '../../api/client.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, formatCounted, formatCredits, Moment } from '../../components/values.tsx';
import { completenessText, causeLabels, changesText, scanLabels } from './schedule-labels.ts';

type Run = Body<'ScanRun'>;

/** Loads the scans of a schedule, page by page. */
export function useRuns(id: string): Pages<Run> {
  return usePages<Run>(
    id,
    async (after, signal) => {
      const query = after === undefined ? {} : { after };
      const { scans, next } = await read(
        api.GET('/v1/schedules/{id}/scans', { params: { path: { id }, query }, signal }),
      );
      return { items: scans, next };
    },
    // Its counts are those of the batches of its scans.
    ['schedules', 'changes', 'batches'],
  );
}

/** Table of scans, newest first, with their changes and cost. */
export function Runs({ runs }: { readonly runs: Pages<Run> }) {
  return (
    <PagedTable
      pages={runs}
      caption="Scans, newest first"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<p>No scans yet. Run the schedule now, or wait for its next time.</p>}
    />
  );
}

const columns: readonly Column<Run>[] = [
  {
    head: 'Started',
    value: ({ due_at: due, begun_at: begun }) => begun ?? due,
    kind: 'day',
    isHeading: true,
    cell: ({ due_at: due, begun_at: begun, cause, ticks }) => (
      <>
        <Moment at={begun ?? due} />
        <div class="quiet small">
          {causeLabels[cause]}
          {ticks > 1 && `, covers ${formatCounted(ticks, 'scheduled time')}`}
        </div>
      </>
    ),
  },
  {
    head: 'State',
    value: ({ state }) => state,
    cell: ({ state, reason }) => {
      const [tone, name] = scanLabels[state];
      return (
        <>
          <Badge tone={tone}>{name}</Badge>
          {reason !== null && <div class="small">{reason}</div>}
        </>
      );
    },
  },
  { head: 'Companies', cell: (run) => <span class="small">{completenessText(run)}</span> },
  {
    head: 'Active ads',
    value: ({ ads_active: active }) => active,
    kind: 'number',
    cell: ({ ads_active: active }) => (active === null ? '–' : formatCount(active)),
  },
  {
    head: 'Changes',
    cell: (run) => <ChangesCell run={run} />,
  },
  {
    head: 'Credits',
    value: ({ credits }) => credits,
    kind: 'number',
    cell: ({ credits }) => (credits === null ? '–' : formatCredits(credits)),
  },
  {
    head: 'Links',
    cell: ({ batch, due_at: due }) =>
      batch !== null && (
        <div class="actions">
          <a href={`/batches/${batch}`}>
            Batch<span class="hidden"> of {due}</span>
          </a>
          <DownloadLink href={`/v1/batches/${batch}/report`} isWhole isButton={false}>
            Report<span class="hidden"> on {due}</span>
          </DownloadLink>
        </div>
      ),
  },
];

function ChangesCell({ run }: { readonly run: Run }) {
  if (run.batch === null) return <>–</>;
  if (run.changes === null) return <span class="quiet">{changesText(run)}</span>;
  return <a href={`/changes?scan=${run.id}`}>{changesText(run)}</a>;
}

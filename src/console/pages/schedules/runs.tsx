import { api, read, type Body } from '../../api/client.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { formatCount, formatCounted, formatCredits, Moment } from '../../components/values.tsx';
import { answersText, causeLabels, newsText, scanLabels } from './schedule-labels.ts';

type Run = Body<'ScanRun'>;

/** The scans of a schedule, as far as they were asked for. */
export function useRuns(id: string): Pages<Run> {
  return usePages<Run>(id, async (after, signal) => {
    const query = after === undefined ? {} : { after };
    const { scans, next } = await read(
      api.GET('/v1/schedules/{id}/scans', { params: { path: { id }, query }, signal }),
    );
    return { items: scans, next };
  });
}

/** Runs of a schedule, the newest first: the changes of each scan, and its cost. */
export function Runs({ runs }: { readonly runs: Pages<Run> }) {
  return (
    <PagedTable
      pages={runs}
      caption="Scans, the newest first"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<p>It has not run yet.</p>}
    />
  );
}

const columns: readonly Column<Run>[] = [
  {
    head: 'When',
    kind: 'day',
    isHeading: true,
    cell: ({ due_at: due, begun_at: begun, cause, ticks }) => (
      <>
        <Moment at={begun ?? due} />
        <div class="quiet small">
          {causeLabels[cause]}
          {ticks > 1 && `, for ${formatCounted(ticks, 'time')}`}
        </div>
      </>
    ),
  },
  {
    head: 'State',
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
  { head: 'Answers', cell: (run) => <span class="small">{answersText(run)}</span> },
  {
    head: 'Ads that run',
    kind: 'number',
    cell: ({ ads_active: active }) => (active === null ? '–' : formatCount(active)),
  },
  {
    head: 'News',
    cell: (run) => <EventPayload run={run} />,
  },
  {
    head: 'Credits',
    kind: 'number',
    cell: ({ credits }) => (credits === null ? '–' : formatCredits(credits)),
  },
  {
    head: 'More',
    cell: ({ batch, due_at: due }) =>
      batch !== null && (
        <div class="actions">
          <a href={`/batches/${batch}`}>
            List<span class="hidden"> of {due}</span>
          </a>
          <DownloadLink href={`/v1/batches/${batch}/report`} isWhole isButton={false}>
            Report<span class="hidden"> on {due}</span>
          </DownloadLink>
        </div>
      ),
  },
];

function EventPayload({ run }: { readonly run: Run }) {
  if (run.batch === null) return <>–</>;
  if (run.changes === null) return <span class="quiet">{newsText(run)}</span>;
  return <a href={`/changes?scan=${run.id}`}>{newsText(run)}</a>;
}

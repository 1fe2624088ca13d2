import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { formatLocal } from '../../components/dates/days.ts';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { SampleBadge } from '../../components/ads/sample.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount, Moment } from '../../components/values.tsx';
import { scanLabels } from './schedule-labels.ts';

type Schedule = Body<'Schedule'>;

/** Page of all schedules. */
export function Schedules() {
  const pages = usePages<Schedule>(
    'schedules',
    async (after, signal) => {
      const query = after === undefined ? {} : { after };
      const { schedules, next } = await read(api.GET('/v1/schedules', { params: { query }, signal }));
      return { items: schedules, next };
    },
    ['schedules'],
  );
  const newSchedule = can('batches:write') && (
    <a class="button primary" href="/schedules/new">
      New schedule
    </a>
  );
  return (
    <Page
      title="Schedules"
      lead="Recurring scans of companies. Each scan is compared with the previous one."
      actions={newSchedule}
    >
      <PagedTable
        pages={pages}
        caption="Schedules, newest first"
        view="schedules"
        count={{ noun: ['schedule', 'schedules'] }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <>
            <p>
              No schedules yet. Upload companies and choose a time. Nightshift reports new, changed and ended
              ads after each scan.
            </p>
            {newSchedule}
          </>
        }
      />
    </Page>
  );
}

const columns: readonly Column<Schedule>[] = [
  {
    head: 'Schedule',
    value: ({ name }) => name,
    isHeading: true,
    cell: ({ id, name, sources }) => (
      <>
        <a href={`/schedules/${id}`}>{name}</a> <SampleBadge sources={sources} />
      </>
    ),
  },
  {
    head: 'Recurrence',
    value: ({ description }) => description,
    cell: ({ description, time_zone: zone }) => (
      <>
        {description} <span class="quiet small">{zone}</span>
      </>
    ),
  },
  {
    head: 'Next scan',
    value: ({ next_at: at }) => at,
    kind: 'day',
    cell: ({ next_local: [next] }) =>
      next === undefined ? (
        <Badge tone="warm">Paused</Badge>
      ) : (
        <time dateTime={next}>{formatLocal(next)}</time>
      ),
  },
  {
    head: 'Companies',
    value: ({ companies }) => companies,
    kind: 'number',
    cell: ({ companies }) => formatCount(companies),
  },
  {
    head: 'Last scan',
    value: ({ last_scan: scan }) => scan?.begun_at ?? scan?.due_at ?? null,
    cell: ({ last_scan: scan }) => <LastScan scan={scan} />,
  },
];

function LastScan({ scan }: { readonly scan: Schedule['last_scan'] }) {
  if (scan === null) return <span class="quiet">–</span>;
  const [tone, name] = scanLabels[scan.state];
  return (
    <>
      <Badge tone={tone}>{name}</Badge> <Moment at={scan.begun_at ?? scan.due_at} />
    </>
  );
}

import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { formatDay, browserTimeZone } from '../../components/dates/days.ts';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatCount } from '../../components/values.tsx';
import { parseCompany, type Filter } from './filter.ts';

type Day = Body<'ChangedDay'>;

/** Counts of changes by day and schedule. Each day links to its changes. */
export function ChangedDays({ filter }: { readonly filter: Pick<Filter, 'schedule' | 'company'> }) {
  const { schedule, company } = filter;
  const pages = usePages<Day>(
    JSON.stringify([schedule, company]),
    async (after, signal) => {
      const query = {
        ...(schedule === '' ? {} : { schedule }),
        ...parseCompany(company),
        time_zone: browserTimeZone(),
        ...(after === undefined ? {} : { after }),
      };
      const { days, next } = await read(api.GET('/v1/changes/days', { params: { query }, signal }));
      return { items: days, next };
    },
    ['changes'],
  );
  return (
    <PagedTable
      pages={pages}
      caption="Changes by day and schedule, newest first"
      columns={columns(company)}
      keyOf={({ day, schedule_id: id }) => `${day} ${id}`}
      empty={
        <>
          <p>No changes yet. Create a schedule: from its second scan on, changes of ads appear here.</p>
          <a class="button" href="/schedules">
            View schedules
          </a>
        </>
      }
    />
  );
}

function columns(company: string): readonly Column<Day>[] {
  const hrefOf = ({ day, schedule_id: schedule }: Day) =>
    `/changes?${new URLSearchParams({ schedule, day, ...(company === '' ? {} : { company }) }).toString()}`;
  const number = (name: 'new' | 'reactivated' | 'changed' | 'ended') => (day: Day) =>
    day[name] === 0 ? <span class="quiet">–</span> : formatCount(day[name]);
  return [
    {
      head: 'Day',
      value: ({ day }) => day,
      kind: 'day',
      isHeading: true,
      cell: (day) =>
        day.new + day.reactivated + day.changed + day.ended === 0 ? (
          formatDay(day.day)
        ) : (
          <a href={hrefOf(day)}>
            {formatDay(day.day)}
            <span class="hidden"> of {day.schedule}</span>
          </a>
        ),
    },
    { head: 'Schedule', value: ({ schedule }) => schedule, cell: ({ schedule }) => schedule },
    { head: 'New', value: (day) => day.new, kind: 'number', cell: number('new') },
    { head: 'Back', value: (day) => day.reactivated, kind: 'number', cell: number('reactivated') },
    { head: 'Changed', value: (day) => day.changed, kind: 'number', cell: number('changed') },
    { head: 'Ended', value: (day) => day.ended, kind: 'number', cell: number('ended') },
    { head: 'Scans', value: ({ scans }) => scans, kind: 'number', cell: ({ scans }) => formatCount(scans) },
  ];
}

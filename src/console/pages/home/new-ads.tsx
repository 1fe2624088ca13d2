import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { browserTimeZone, formatDay } from '../../components/dates/days.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { formatCounted } from '../../components/values.tsx';

type Day = Body<'ChangedDay'>;

const shownMax = 6;

/** Newest days with changes, by schedule. */
export function NewAds() {
  const loaded = useLoad(
    'home changes',
    (signal) =>
      read(
        api.GET('/v1/changes/days', {
          params: { query: { limit: 20, time_zone: browserTimeZone() } },
          signal,
        }),
      ),
    ['changes'],
  );
  return (
    <Section
      title="New ads"
      actions={
        <>
          <a class="small" href="/changes?since=7d&kind=new">
            New this week
          </a>
          <a class="small" href="/changes">
            All changes
          </a>
        </>
      }
    >
      <WhenLoaded loaded={loaded}>{({ days }) => <Days days={days} />}</WhenLoaded>
    </Section>
  );
}

function Days({ days }: { readonly days: readonly Day[] }) {
  if (days.length === 0)
    return (
      <div class="empty">
        <p>A schedule compares each scan with the one before, and shows new, changed and ended ads here.</p>
        <a class="button" href="/schedules">
          View schedules
        </a>
      </div>
    );
  return (
    <ul class="tasks" aria-label="New ads by day">
      {days.slice(0, shownMax).map((day) => (
        <li key={`${day.day} ${day.schedule_id}`}>
          <div>
            <a
              href={`/changes?${new URLSearchParams({ schedule: day.schedule_id, day: day.day }).toString()}`}
            >
              {formatCounted(day.new, 'new ad')}
            </a>{' '}
            in {day.schedule}
            <div class="quiet small">
              {day.changed} changed, {day.ended} ended, {day.reactivated} back
            </div>
          </div>
          <span class="quiet small">{formatDay(day.day)}</span>
        </li>
      ))}
    </ul>
  );
}

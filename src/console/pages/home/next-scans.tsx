import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { formatLocal } from '../../components/dates/days.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';

type Schedule = Body<'Schedule'>;

const shownMax = 5;

/** Next scans of all schedules, the earliest first. */
export function NextScans() {
  const loaded = useLoad(
    'home schedules',
    (signal) => read(api.GET('/v1/schedules', { params: { query: { limit: 100 } }, signal })),
    ['schedules'],
  );
  return (
    <Section
      title="Next scans"
      actions={
        <a class="small" href="/schedules">
          All schedules
        </a>
      }
    >
      <WhenLoaded loaded={loaded}>{({ schedules }) => <Scans schedules={schedules} />}</WhenLoaded>
    </Section>
  );
}

function Scans({ schedules }: { readonly schedules: readonly Schedule[] }) {
  const next = schedules
    .filter(({ next_at: at }) => at !== null)
    .toSorted((one, other) => (one.next_at ?? '').localeCompare(other.next_at ?? ''));
  if (next.length === 0)
    return (
      <div class="empty">
        <p>
          {schedules.length === 0 ? 'No schedule yet.' : 'All schedules are paused.'} A schedule looks up the
          same companies regularly.
        </p>
        {can('batches:write') && (
          <a class="button" href={schedules.length === 0 ? '/schedules/new' : '/schedules'}>
            {schedules.length === 0 ? 'Create schedule' : 'View schedules'}
          </a>
        )}
      </div>
    );
  return (
    <ul class="tasks" aria-label="Next scans">
      {next.slice(0, shownMax).map(({ id, name, description, next_local: [time] }) => (
        <li key={id}>
          <div>
            <a href={`/schedules/${id}`}>{name}</a>
            <div class="quiet small">{description}</div>
          </div>
          {time !== undefined && (
            <time class="quiet small" dateTime={time}>
              {formatLocal(time)}
            </time>
          )}
        </li>
      ))}
    </ul>
  );
}

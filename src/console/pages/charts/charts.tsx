import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { Field } from '../../components/forms/field.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { BatchCharts } from './batch-charts.tsx';
import { ScheduleCharts } from './schedule-charts.tsx';

/** Schedules and batches to choose from. */
interface Choices {
  readonly schedules: readonly Body<'Schedule'>[];
  readonly batches: readonly Body<'Batch'>[];
}

/** Subject of the charts: a schedule, or a batch. */
type Subject = { readonly kind: 'schedule' | 'batch'; readonly id: string };

const ranges = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '6 months'],
  ['366', '1 year'],
] as const;

/** Page of charts, of a schedule or of a batch. */
export function Charts() {
  const query = useQuery();
  const loaded = useLoad('charts', readChoices);
  return (
    <Page title="Charts" lead="Ads over time, by format and by running time.">
      <WhenLoaded loaded={loaded}>
        {(choices) => <SelectedCharts choices={choices} query={query} />}
      </WhenLoaded>
    </Page>
  );
}

async function readChoices(signal: AbortSignal): Promise<Choices> {
  const query = { limit: 100 };
  const [{ schedules }, { batches }] = await Promise.all([
    read(api.GET('/v1/schedules', { params: { query }, signal })),
    read(api.GET('/v1/batches', { params: { query }, signal })),
  ]);
  return { schedules, batches: batches.filter(({ purged_at: purgedAt }) => purgedAt === null) };
}

function SelectedCharts({ choices, query }: { readonly choices: Choices; readonly query: Query }) {
  const subject = subjectOf(query, choices);
  const days = ranges.some(([each]) => each === query.get('days')) ? Number(query.get('days')) : 90;
  if (subject === null)
    return (
      <div class="empty">
        <p>No data yet. Start a batch, or create a schedule.</p>
        <p>
          <a class="button" href="/batches">
            View batches
          </a>{' '}
          <a class="button" href="/schedules">
            View schedules
          </a>
        </p>
      </div>
    );
  return (
    <>
      <div class="filters">
        <Field label="Schedule or batch">
          <SubjectChoice
            choices={choices}
            subject={subject}
            onChoose={({ kind, id }) => query.set({ schedule: '', batch: '', companies: '', [kind]: id })}
          />
        </Field>
        <Field label="Time range">
          <select
            value={String(days)}
            onChange={({ currentTarget }) => query.set({ days: currentTarget.value })}
          >
            {ranges.map(([value, label]) => (
              <option key={value} value={value} selected={value === String(days)}>
                {label}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {subject.kind === 'schedule' ? (
        <ScheduleCharts key={subject.id} id={subject.id} days={days} />
      ) : (
        <BatchCharts key={subject.id} id={subject.id} days={days} />
      )}
    </>
  );
}

/** Returns the subject in the URL, else the newest schedule, else the newest batch. */
function subjectOf(query: Query, { schedules, batches }: Choices): Subject | null {
  for (const kind of ['schedule', 'batch'] as const)
    if (query.get(kind) !== '') return { kind, id: query.get(kind) };
  const [schedule] = schedules;
  if (schedule !== undefined) return { kind: 'schedule', id: schedule.id };
  const [batch] = batches;
  return batch === undefined ? null : { kind: 'batch', id: batch.id };
}

/** Select of the subject. Its `Field` passes the id. */
function SubjectChoice({
  choices: { schedules, batches },
  subject,
  onChoose,
  ...control
}: {
  readonly choices: Choices;
  readonly subject: Subject;
  readonly onChoose: (subject: Subject) => void;
}) {
  const value = `${subject.kind} ${subject.id}`;
  const isListed = [...schedules, ...batches].some(({ id }) => id === subject.id);
  return (
    <select
      {...control}
      value={value}
      onChange={({ currentTarget }) => {
        const [kind, id = ''] = currentTarget.value.split(' ');
        onChoose({ kind: kind === 'schedule' ? 'schedule' : 'batch', id });
      }}
    >
      {!isListed && <option value={value}>{subject.id}</option>}
      <optgroup label="Schedules">
        {schedules.map(({ id, name }) => (
          <option key={id} value={`schedule ${id}`} selected={id === subject.id}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="Batches">
        {batches.map(({ id, name, created_at: at }) => (
          <option key={id} value={`batch ${id}`} selected={id === subject.id}>
            {name}, {at.slice(0, 10)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

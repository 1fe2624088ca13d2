import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { Field } from '../../components/forms/field.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { BatchCharts } from './batch-charts.tsx';
import { ScheduleCharts } from './schedule-charts.tsx';

/** Subjects to choose from. */
interface Choices {
  readonly schedules: readonly Body<'Schedule'>[];
  readonly batches: readonly Body<'Batch'>[];
}

/** Subject of the charts: a schedule, or a batch. */
type Subject = { readonly kind: 'schedule' | 'batch'; readonly id: string };

const spans = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', 'half a year'],
  ['366', 'a year'],
] as const;

/** Pictures of what was found: of a schedule how ads come and go, of a list what there is. */
export function Charts() {
  const query = useQuery();
  const loaded = useLoad('charts', readChoices);
  return (
    <Page
      title="Charts"
      lead="What was found, drawn: how ads come and go, of which format they are, and how long they run."
    >
      <WhenThere loaded={loaded}>{(choices) => <Chosen choices={choices} query={query} />}</WhenThere>
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

function Chosen({ choices, query }: { readonly choices: Choices; readonly query: Query }) {
  const subject = subjectOf(query, choices);
  const days = spans.some(([each]) => each === query.get('days')) ? Number(query.get('days')) : 90;
  if (subject === null)
    return (
      <div class="empty">
        <p>There is nothing to draw yet: hand in a list, or have one scanned by a schedule.</p>
        <p>
          <a class="button" href="/lists">
            Lists
          </a>{' '}
          <a class="button" href="/schedules">
            Schedules
          </a>
        </p>
      </div>
    );
  return (
    <>
      <div class="filters">
        <Field label="What to draw">
          <SubjectChoice
            choices={choices}
            subject={subject}
            onChoose={({ kind, id }) => query.set({ schedule: '', batch: '', [kind]: id })}
          />
        </Field>
        <Field label="How far back">
          <select
            value={String(days)}
            onChange={({ currentTarget }) => query.set({ days: currentTarget.value })}
          >
            {spans.map(([value, words]) => (
              <option key={value} value={value} selected={value === String(days)}>
                {words}
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

/** Subject in the address, else the newest schedule, else the newest batch. */
function subjectOf(query: Query, { schedules, batches }: Choices): Subject | null {
  for (const kind of ['schedule', 'batch'] as const)
    if (query.get(kind) !== '') return { kind, id: query.get(kind) };
  const [schedule] = schedules;
  if (schedule !== undefined) return { kind: 'schedule', id: schedule.id };
  const [batch] = batches;
  return batch === undefined ? null : { kind: 'batch', id: batch.id };
}

/** Gets its id from the field around it. */
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
      <optgroup label="Lists">
        {batches.map(({ id, file_name: name, created_at: at }) => (
          <option key={id} value={`batch ${id}`} selected={id === subject.id}>
            {name}, {at.slice(0, 10)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenThere } from '../../components/loading.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { say } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import type { MappedList } from '../new-batch/draft.ts';
import { replaceList } from './submit.ts';
import { ListChoice } from './batch-choice.tsx';
import { ScheduleForm, type Entered } from './schedule-form.tsx';
import { textsOf, toChanges } from './terms.ts';
import { readCron, toCron } from './recurrence.ts';

type Schedule = Body<'Schedule'>;

/** A schedule to be changed. Scans that have begun keep what they began with. */
export function EditSchedule() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/schedules/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Schedule"
      title={loaded.data === undefined ? 'Change a schedule' : `Change “${loaded.data.name}”`}
      lead="A scan that has begun keeps what it began with."
      actions={
        <a class="button" href={`/schedules/${id}`}>
          Back to it
        </a>
      }
    >
      <WhenThere loaded={loaded}>
        {(schedule) => (
          <>
            <Terms key={id} schedule={schedule} />
            <OtherList schedule={schedule} onReplaced={loaded.replace} />
          </>
        )}
      </WhenThere>
    </Page>
  );
}

function Terms({ schedule }: { readonly schedule: Schedule }) {
  const { route } = useLocation();
  const [before] = useState(() => enteredOf(schedule));
  const [entered, setEntered] = useState(before);
  const action = useAction(async () => {
    const { id } = schedule;
    await read(
      api.PATCH('/v1/schedules/{id}', { params: { path: { id } }, body: changesOf(entered, before) }),
    );
    say('Changed, from the next scan on.');
    route(`/schedules/${id}`);
  });
  return <ScheduleForm entered={entered} onChange={setEntered} action={action} button="Save" />;
}

function enteredOf(schedule: Schedule): Entered {
  const { name, cron, time_zone: zone } = schedule;
  return { name, when: readCron(cron), zone, texts: textsOf(schedule) };
}

/** Changed fields of a schedule. Unchanged ones are not sent: another user may have changed them meanwhile. */
function changesOf(entered: Entered, before: Entered): Body<'ScheduleChanges'> {
  const [cron, cronBefore] = [toCron(entered.when), toCron(before.when)];
  return {
    ...toChanges(entered.texts, before.texts),
    ...(entered.name === before.name ? {} : { name: entered.name }),
    ...(cron === cronBefore ? {} : { cron }),
    ...(entered.zone === before.zone ? {} : { time_zone: entered.zone }),
  };
}

function OtherList({
  schedule: { id, file_name: name, companies },
  onReplaced,
}: {
  readonly schedule: Schedule;
  readonly onReplaced: (schedule: Schedule) => void;
}) {
  const [list, setList] = useState<MappedList | null>(null);
  const action = useAction(async (chosen: MappedList) => {
    const replaced = await replaceList(id, chosen);
    onReplaced(replaced);
    setList(null);
    say(`It scans ${replaced.file_name} from now on.`);
  });
  return (
    <Section
      title="Another list"
      lead={`It has ${name}, with ${formatCounted(companies, 'company', 'companies')}.`}
    >
      <div class="card">
        <ListChoice list={list} onList={setList} />
        <ErrorBanner failure={action.failure} />
        {list !== null && (
          <button type="button" class="primary" disabled={action.isRunning} onClick={() => action.run(list)}>
            Scan this list from now on
          </button>
        )}
      </div>
    </Section>
  );
}

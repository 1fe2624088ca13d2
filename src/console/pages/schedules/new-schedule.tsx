import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newRequestKey } from '../../api/request-key.ts';
import { may } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { ownZone } from '../../components/days.ts';
import { Notice } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { say } from '../../components/toast.tsx';
import type { MappedList } from '../new-batch/draft.ts';
import { addSchedule } from './submit.ts';
import { ListChoice } from './batch-choice.tsx';
import { ScheduleForm, type Entered } from './schedule-form.tsx';
import { standardTexts } from './terms.ts';
import { standardWhen } from './recurrence.ts';

/** A new schedule: which companies, when, and for how much. */
export function NewSchedule() {
  const { route } = useLocation();
  const [list, setList] = useState<MappedList | null>(null);
  const [entered, setEntered] = useState<Entered>(startingWith);
  const [once, setOnce] = useState(newRequestKey);
  const action = useAction(async () => {
    if (list === null) return;
    const { id, name } = await addSchedule(list, entered, once);
    say(`“${name}” is there.`);
    route(`/schedules/${id}`);
  });

  function change(next: Entered): void {
    setEntered(next);
    setOnce(newRequestKey());
  }

  function chooseList(next: MappedList | null): void {
    setList(next);
    setOnce(newRequestKey());
    if (next !== null && entered.name === '')
      setEntered({ ...entered, name: next.file.name.replace(/(\.[a-z]{1,4}){1,2}$/i, '').slice(0, 100) });
  }

  return (
    <Page
      title="New schedule"
      lead="A list that is scanned by the clock. Nothing is spent before its first time, or before you run it by hand."
    >
      {!may('batches:write') && (
        <Notice kind="warning">
          <p>You may look at schedules, but not make one. Ask who looks after this account.</p>
        </Notice>
      )}
      <ScheduleForm
        entered={entered}
        onChange={change}
        action={action}
        button="Make the schedule"
        isReady={list !== null}
      >
        <Section title="Which companies">
          <div class="card">
            <ListChoice list={list} onList={chooseList} />
          </div>
        </Section>
      </ScheduleForm>
    </Page>
  );
}

function startingWith(): Entered {
  return { name: '', when: standardWhen, zone: ownZone(), texts: standardTexts };
}

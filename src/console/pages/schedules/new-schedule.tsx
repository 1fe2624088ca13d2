import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newRequestKey } from '../../api/request-key.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { subscribe, useSubscriptions } from '../../api/use-subscriptions.ts';
import { browserTimeZone } from '../../components/dates/days.ts';
import { Banner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { baseName } from '../../components/list-file/file-name.ts';
import { toast } from '../../components/toast.tsx';
import type { MappedFile } from '../new-batch/draft.ts';
import { EmailField } from '../notifications/email-me.tsx';
import { createSchedule } from './submit.ts';
import { CompanyFile } from './company-file.tsx';
import { ScheduleForm, type ScheduleDraft } from './schedule-form.tsx';
import { defaultTerms } from './terms.ts';
import { defaultRecurrence } from './recurrence.ts';

/** Page to create a schedule: its companies, recurrence and budget. */
export function NewSchedule() {
  const { route } = useLocation();
  const [companies, setCompanies] = useState<MappedFile | null>(null);
  const [draft, setDraft] = useState<ScheduleDraft>(emptyDraft);
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const subscriptions = useSubscriptions().loaded.data;
  const [isEmailed, setEmailed] = useState(false);
  const action = useAction(async () => {
    if (companies === null) return;
    const { id, name } = await createSchedule(companies, draft, requestKey);
    // After an error here, a retry with the same key returns the schedule again.
    if (isEmailed) await subscribe({ kind: 'schedule', id });
    toast(`“${name}” created.`);
    route(`/schedules/${id}`);
  });

  function change(next: ScheduleDraft): void {
    setDraft(next);
    setRequestKey(newRequestKey());
  }

  function chooseCompanies(next: MappedFile | null): void {
    setCompanies(next);
    setRequestKey(newRequestKey());
    if (next === null) return;
    const name = baseName(next.file.name).slice(0, 100);
    // The file was read for a while, in which the user may have entered a name.
    setDraft((before) => (before.name === '' ? { ...before, name } : before));
  }

  return (
    <Page title="New schedule" lead="Scans your companies regularly. You pay nothing until the first scan.">
      {!can('batches:write') && (
        <Banner kind="warning">
          <p>Your role cannot create schedules. Ask an admin of this account.</p>
        </Banner>
      )}
      <ScheduleForm
        draft={draft}
        onChange={change}
        action={action}
        button="Create schedule"
        isReady={companies !== null}
        last={
          subscriptions !== undefined && (
            <Section title="E-mail">
              <div class="card">
                <EmailField
                  kind="schedule"
                  subscriptions={subscriptions}
                  isChecked={isEmailed}
                  onCheck={setEmailed}
                />
              </div>
            </Section>
          )
        }
      >
        <Section title="Companies">
          <div class="card">
            <CompanyFile companies={companies} onChange={chooseCompanies} />
          </div>
        </Section>
      </ScheduleForm>
    </Page>
  );
}

function emptyDraft(): ScheduleDraft {
  return { name: '', recurrence: defaultRecurrence, zone: browserTimeZone(), texts: defaultTerms };
}

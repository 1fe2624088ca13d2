import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-query.ts';
import { subscribe, useSubscriptions } from '../../api/use-subscriptions.ts';
import { browserTimeZone } from '../../components/dates/days.ts';
import { Banner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { baseName } from '../../components/list-file/file-name.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { searchTextsOf } from '../../components/search/search-texts.ts';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import type { MappedFile } from '../new-batch/draft.ts';
import { EmailField } from '../notifications/email-me.tsx';
import { createSchedule } from './submit.ts';
import { CompanyFile } from './company-file.tsx';
import { ScheduleForm, type ScheduleDraft } from './schedule-form.tsx';
import { defaultTerms } from './terms.ts';
import { defaultRecurrence } from './recurrence.ts';

type Batch = Body<'Batch'>;

/** Page to create a schedule: its companies, recurrence and budget. The URL can name a batch, whose rows and options the form then has. */
export function NewSchedule() {
  const id = useQuery().get('batch');
  return (
    <Page title="New schedule" lead="Scans your companies regularly. You pay nothing until the first scan.">
      {!can('batches:write') && (
        <Banner kind="warning">
          <p>Your role cannot create schedules. Ask an admin of this account.</p>
        </Banner>
      )}
      {id === '' ? <NewForm /> : <FormOfBatch key={id} id={id} />}
    </Page>
  );
}

function FormOfBatch({ id }: { readonly id: string }) {
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal })),
  );
  return <WhenLoaded loaded={loaded}>{(batch) => <NewForm batch={batch} />}</WhenLoaded>;
}

function NewForm({ batch }: { readonly batch?: Batch }) {
  const { route } = useLocation();
  const [companies, setCompanies] = useState<MappedFile | null>(null);
  const [before] = useState(() => draftOf(batch));
  const [draft, setDraft] = useState(before);
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const subscriptions = useSubscriptions().loaded.data;
  const [isEmailed, setEmailed] = useState(false);
  const action = useAction(async () => {
    const source = batch?.id ?? companies;
    if (source === null) return;
    const { id, name } = await createSchedule(source, { draft, before, key: requestKey });
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
    const name = nameOf(next.file.name);
    // The file was read for a while, in which the user may have entered a name.
    setDraft((current) => (current.name === '' ? { ...current, name } : current));
  }

  return (
    <ScheduleForm
      draft={draft}
      onChange={change}
      action={action}
      button="Create schedule"
      isReady={batch !== undefined || companies !== null}
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
          {batch === undefined ? (
            <CompanyFile companies={companies} onChange={chooseCompanies} />
          ) : (
            <BatchCompanies batch={batch} />
          )}
        </div>
      </Section>
    </ScheduleForm>
  );
}

function BatchCompanies({ batch: { id, name, rows, surface, lookups, emails } }: { readonly batch: Batch }) {
  return (
    <>
      <p>
        <a href={`/batches/${id}`}>{name}</a>: {formatCounted(rows.total, 'row')},{' '}
        {formatCounted(lookups.total - emails.total, 'company', 'companies')}
        {surface !== null && `, ads on ${surface}`}.
      </p>
      <a class="button" href="/schedules/new">
        Choose other companies
      </a>
    </>
  );
}

/** Draft of a new schedule: of a batch weekly, with its name and options; else nightly, and without a name. */
function draftOf(batch: Batch | undefined): ScheduleDraft {
  const zone = browserTimeZone();
  if (batch === undefined) return { name: '', recurrence: defaultRecurrence, zone, texts: defaultTerms };
  return {
    name: nameOf(batch.name),
    recurrence: { ...defaultRecurrence, every: 'week' },
    zone,
    texts: { ...defaultTerms, ...searchTextsOf(batch) },
  };
}

function nameOf(fileName: string): string {
  return baseName(fileName).slice(0, 100);
}

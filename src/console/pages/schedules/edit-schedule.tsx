import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import type { MappedFile } from '../new-batch/draft.ts';
import { replaceFile } from './submit.ts';
import { CompanyFile } from './company-file.tsx';
import { ScheduleForm, type ScheduleDraft } from './schedule-form.tsx';
import { textsOf, toChanges } from './terms.ts';
import { parseRecurrence, toCron } from './recurrence.ts';

type Schedule = Body<'Schedule'>;

/** Page to edit a schedule. Running scans keep their settings. */
export function EditSchedule() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/schedules/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Schedule"
      title={loaded.data === undefined ? 'Edit schedule' : `Edit “${loaded.data.name}”`}
      lead="Changes apply from the next scan."
      actions={
        <a class="button" href={`/schedules/${id}`}>
          View schedule
        </a>
      }
    >
      <WhenLoaded loaded={loaded}>
        {(schedule) => (
          <>
            <Terms key={id} schedule={schedule} />
            <ReplaceCompanies schedule={schedule} onReplaced={loaded.replace} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Terms({ schedule }: { readonly schedule: Schedule }) {
  const { route } = useLocation();
  const [before] = useState(() => toDraft(schedule));
  const [draft, setDraft] = useState(before);
  const action = useAction(async () => {
    const { id } = schedule;
    await read(api.PATCH('/v1/schedules/{id}', { params: { path: { id } }, body: changesOf(draft, before) }));
    toast('Saved. Changes apply from the next scan.');
    route(`/schedules/${id}`);
  });
  return <ScheduleForm draft={draft} onChange={setDraft} action={action} button="Save changes" />;
}

function toDraft(schedule: Schedule): ScheduleDraft {
  const { name, cron, time_zone: zone } = schedule;
  return { name, recurrence: parseRecurrence(cron), zone, texts: textsOf(schedule) };
}

/** Lists the changed fields of a schedule. Unchanged ones are not sent: another user may have changed them meanwhile. */
function changesOf(draft: ScheduleDraft, before: ScheduleDraft): Body<'ScheduleChanges'> {
  const [cron, cronBefore] = [toCron(draft.recurrence), toCron(before.recurrence)];
  return {
    ...toChanges(draft.texts, before.texts),
    ...(draft.name === before.name ? {} : { name: draft.name }),
    ...(cron === cronBefore ? {} : { cron }),
    ...(draft.zone === before.zone ? {} : { time_zone: draft.zone }),
  };
}

function ReplaceCompanies({
  schedule: { id, file_name: name, companies },
  onReplaced,
}: {
  readonly schedule: Schedule;
  readonly onReplaced: (schedule: Schedule) => void;
}) {
  const [file, setFile] = useState<MappedFile | null>(null);
  const action = useAction(async (chosen: MappedFile) => {
    const replaced = await replaceFile(id, chosen);
    onReplaced(replaced);
    setFile(null);
    toast(`The next scan uses ${replaced.file_name}.`);
  });
  return (
    <Section
      title="Replace companies"
      lead={`Current file: ${name}, ${formatCounted(companies, 'company', 'companies')}.`}
    >
      <div class="card">
        <CompanyFile companies={file} onChange={setFile} />
        <ErrorBanner error={action.error} />
        {file !== null && (
          <button type="button" class="primary" disabled={action.isRunning} onClick={() => action.run(file)}>
            Replace companies
          </button>
        )}
      </div>
    </Section>
  );
}

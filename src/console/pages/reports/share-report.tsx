import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { Moment } from '../../components/values.tsx';
import { ReportLinks } from './report-links.tsx';

/** Batch or schedule with a report. */
export interface ReportSubject {
  readonly kind: 'batch' | 'schedule';
  readonly id: string;
}

interface SharedReport extends ReportSubject {
  /** Fragment that opens the report with filters. Default: without filters. */
  readonly fragment?: string;
}

const lifetimes = ['1', '7', '30', '90'] as const;

/** Button that opens the links to a report. Nothing for users who cannot create links. */
export function ShareReport({ fragment = '', ...subject }: SharedReport) {
  const [isOpen, setOpen] = useState(false);
  if (!can('batches:write')) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Share report …
      </button>
      {isOpen && <ShareDialog subject={subject} fragment={fragment} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Dialog that creates a link to a report, shows it once, and lists and revokes the links. */
function ShareDialog({
  subject,
  fragment,
  onClose,
}: {
  readonly subject: ReportSubject;
  readonly fragment: string;
  readonly onClose: () => void;
}) {
  const links = useLoad(subject.id, (signal) => listLinks(subject, signal));
  const [created, setCreated] = useState<Body<'CreatedReportLink'> | null>(null);
  const isWorking =
    created !== null && links.data?.links.find(({ id }) => id === created.id)?.state !== 'revoked';
  return (
    <Dialog title="Share report" onClose={onClose}>
      <p>Everyone with a link can read the report, as it is at that time, without signing in.</p>
      {fragment !== '' && <p>The link opens it at the changes, with these filters.</p>}
      {isWorking ? (
        <NewLink created={created} fragment={fragment} />
      ) : (
        <CreateLink
          subject={subject}
          onCreated={(link) => {
            setCreated(link);
            links.reload();
          }}
        />
      )}
      <ReportLinks links={links} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function CreateLink({
  subject,
  onCreated,
}: {
  readonly subject: ReportSubject;
  readonly onCreated: (created: Body<'CreatedReportLink'>) => void;
}) {
  const [days, setDays] = useState<(typeof lifetimes)[number]>('7');
  const [requestKey] = useState(newRequestKey);
  const creating = useAction(async () =>
    // A retry after a lost connection creates no second link.
    onCreated(await createLink(subject, Number(days), `${requestKey}-${days}`)),
  );
  return (
    <>
      <div class="filters">
        <SelectField
          label="Link expires"
          values={lifetimes}
          nameOf={(each) => (each === '1' ? 'In 1 day' : `In ${each} days`)}
          value={days}
          onSelect={setDays}
        />
        <button type="button" class="primary" disabled={creating.isRunning} onClick={creating.run}>
          Create link
        </button>
      </div>
      <ErrorBanner error={creating.error} />
    </>
  );
}

function NewLink({
  created: { url, expires_at: until },
  fragment,
}: {
  readonly created: Body<'CreatedReportLink'>;
  readonly fragment: string;
}) {
  const link = `${url}${fragment}`;
  return (
    <Banner kind="good" title="This link is shown only once">
      <p>
        It works until <Moment at={until} />.
      </p>
      <pre tabIndex={0} aria-label="Link to the report">
        <code>{link}</code>
      </pre>
      <CopyButton text={link} what="link" />
    </Banner>
  );
}

function listLinks({ kind, id }: ReportSubject, signal: AbortSignal): Promise<Body<'ReportLinkList'>> {
  const path = { params: { path: { id } }, signal };
  return kind === 'batch'
    ? read(api.GET('/v1/batches/{id}/report-links', path))
    : read(api.GET('/v1/schedules/{id}/report-links', path));
}

function createLink(
  { kind, id }: ReportSubject,
  days: number,
  requestKey: string,
): Promise<Body<'CreatedReportLink'>> {
  const call = { params: { path: { id }, header: { 'Idempotency-Key': requestKey } }, body: { days } };
  return kind === 'batch'
    ? read(api.POST('/v1/batches/{id}/report-links', call))
    : read(api.POST('/v1/schedules/{id}/report-links', call));
}

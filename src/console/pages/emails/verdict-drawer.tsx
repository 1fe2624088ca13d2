import type { Body } from '../../api/client.ts';
import type { Query } from '../../api/use-query.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Terms } from '../../components/terms.tsx';
import { Moment } from '../../components/values.tsx';
import { BatchLink, StatusBadge } from './email-columns.tsx';

type Verdict = Body<'EmailVerdict'>;

/** Details of a verdict beside the page: its reasons, and what the checks found. */
export function VerdictDrawer({
  verdict,
  query,
  onClose,
}: {
  readonly verdict: Verdict;
  readonly query: Query;
  readonly onClose: () => void;
}) {
  const { email, email_status: status, did_you_mean: meant, reasons } = verdict;
  return (
    <Dialog title={email} onClose={onClose} isDrawer>
      <p>
        <StatusBadge status={status} /> <strong>{verdict.recommendation_words}</strong> {verdict.status_words}
      </p>
      {meant !== null && <p>Did you mean {meant}?</p>}
      <h3>Reasons</h3>
      <ul>
        {reasons.map(({ code, words }) => (
          <li key={code}>
            {words}{' '}
            {query.get('reason') !== code && (
              <a class="small" href={query.hrefWith({ reason: code })} onClick={onClose}>
                Show all<span class="hidden">: {words}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
      <h3>Check</h3>
      <Terms
        terms={[
          ['Checked', <Moment at={verdict.checked_at} />],
          ['Depth', verdict.level_words],
          ['Check again after', <Moment at={verdict.retry_at} none="No new result expected" />],
          ['Batch', <BatchLink batch={verdict.batch} name={verdict.batch_name} />],
        ]}
      />
      <h3>Address</h3>
      <Terms
        terms={[
          ['Role address', <YesNo value={verdict.is_role} />],
          ['Free provider', <YesNo value={verdict.is_free} />],
          ['Disposable', <YesNo value={verdict.is_disposable} />],
          ['Privacy relay', <YesNo value={verdict.is_privacy_relay} />],
        ]}
      />
      <h3>Domain</h3>
      <Terms
        terms={[
          ['Mail server', verdict.mx_record ?? 'Unknown'],
          ['Provider', verdict.mx_provider ?? 'Unknown'],
          ['Filter gateway', <YesNo value={verdict.mx_security_gateway} />],
          ['Without MX record', <YesNo value={verdict.implicit_mx} />],
          ['SPF', <YesNo value={verdict.has_spf} />],
          ['DMARC', <YesNo value={verdict.has_dmarc} />],
          ['Catch-all', <YesNo value={verdict.is_domain_catch_all} />],
        ]}
      />
      <h3>Answer of the mail server</h3>
      <Answer smtp={verdict.smtp} />
    </Dialog>
  );
}

/** Labels of the answers to the control address, which does not exist. */
const controlLabels: ReadonlyMap<string, string> = new Map([
  ['accepted', 'Accepted'],
  ['refused', 'Rejected'],
  ['inconclusive', 'No clear answer'],
  ['not_run', 'Not sent'],
]);

function Answer({ smtp }: { readonly smtp: Verdict['smtp'] }) {
  if (smtp === null) return <p class="quiet">The mail server was not asked.</p>;
  const { host, code, enhanced_code: enhanced, catch_all_probe: control, attempts } = smtp;
  const reply = [code, enhanced].filter((part) => part !== null).join(' ');
  return (
    <Terms
      terms={[
        ['Host', host],
        ['Reply code', reply === '' ? 'None' : reply],
        ['Control address', controlLabels.get(control ?? '') ?? 'Unknown'],
        ['Attempts', attempts ?? 'Unknown'],
      ]}
    />
  );
}

function YesNo({ value }: { readonly value: boolean | null }) {
  if (value === null) return <span class="quiet">Unknown</span>;
  return <>{value ? 'Yes' : 'No'}</>;
}

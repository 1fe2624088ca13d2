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
      <h3>Checks</h3>
      <Terms
        terms={[
          ['Checked', <Moment at={verdict.checked_at} />],
          ['Depth', verdict.level_words],
          ['Check again after', <Moment at={verdict.retry_at} />],
          ['Batch', <BatchLink batch={verdict.batch} name={verdict.batch_name} />],
          ['Role address', yesNo(verdict.is_role)],
          ['Free provider', yesNo(verdict.is_free)],
          ['Disposable', yesNo(verdict.is_disposable)],
          ['Privacy relay', yesNo(verdict.is_privacy_relay)],
          ['Mail server', verdict.mx_record ?? unknown],
          ['Provider', verdict.mx_provider ?? unknown],
          ['Filter gateway', yesNo(verdict.mx_security_gateway)],
          ['Without MX record', yesNo(verdict.implicit_mx)],
          ['SPF', yesNo(verdict.has_spf)],
          ['DMARC', yesNo(verdict.has_dmarc)],
          ['Catch-all', yesNo(verdict.is_domain_catch_all)],
          ...answerOf(verdict.smtp),
        ]}
      />
    </Dialog>
  );
}

const unknown = 'Unknown';

/** Answer of the mail server, and that to the control address, which does not exist. */
function answerOf(smtp: Verdict['smtp']): readonly (readonly [string, string])[] {
  if (smtp === null) return [['Answer', 'The mail server was not asked.']];
  const { host, code, enhanced_code: enhanced, catch_all_probe: control, attempts } = smtp;
  return [
    ['Answer', [code, enhanced, 'from', host].filter((part) => part !== null).join(' ')],
    ['Control address', (control ?? unknown).replaceAll('_', ' ')],
    ['Attempts', String(attempts ?? unknown)],
  ];
}

function yesNo(value: boolean | null): string {
  if (value === null) return unknown;
  return value ? 'Yes' : 'No';
}

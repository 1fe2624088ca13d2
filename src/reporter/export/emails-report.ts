import { reasonMessage } from '../../core/emails/reasons.ts';
import type { ListedEmail } from '../../core/validation/email-list.ts';
import type { Cell, ColumnKind, Report } from '../formats/report-row.ts';

/** Columns of the file, in order, with the names of the API. */
const columns: Readonly<Record<string, readonly [kind: ColumnKind, cell: (listed: ListedEmail) => Cell]>> = {
  email: ['text', ({ email }) => email],
  email_status: ['text', ({ status }) => status],
  sub_status: ['text', ({ reasons }) => reasons[0] ?? null],
  reason: ['text', ({ reasons: [decisive] }) => (decisive === undefined ? null : reasonMessage(decisive))],
  reasons: ['text', ({ reasons }) => reasons.join(' ')],
  recommendation: ['text', ({ recommendation }) => recommendation],
  verification_level: ['text', ({ level }) => level],
  did_you_mean: ['text', ({ didYouMean }) => didYouMean],
  is_disposable: ['flag', ({ evidence }) => evidence.isDisposable],
  is_privacy_relay: ['flag', ({ evidence }) => evidence.isPrivacyRelay],
  is_role: ['flag', ({ evidence }) => evidence.isRole],
  is_free: ['flag', ({ evidence }) => evidence.isFree],
  is_domain_catch_all: ['flag', ({ evidence }) => evidence.isCatchAll],
  mx_provider: ['text', ({ mxProvider }) => mxProvider],
  mx_record: ['text', ({ evidence }) => evidence.mxRecord],
  mx_security_gateway: ['flag', ({ evidence }) => evidence.mxSecurityGateway],
  implicit_mx: ['flag', ({ evidence }) => evidence.implicitMx],
  has_spf: ['flag', ({ evidence }) => evidence.hasSpf],
  has_dmarc: ['flag', ({ evidence }) => evidence.hasDmarc],
  smtp_host: ['text', ({ evidence }) => evidence.smtpHost],
  smtp_code: ['count', ({ evidence }) => evidence.smtpCode],
  smtp_enhanced_code: ['text', ({ evidence }) => evidence.smtpEnhancedCode],
  checked_at: ['moment', ({ checkedAt }) => checkedAt.toISOString()],
  retry_at: ['moment', ({ retryAt }) => retryAt?.toISOString() ?? null],
  batch: ['text', ({ batch }) => batch],
  batch_name: ['text', ({ batchName }) => batchName],
  file_name: ['text', ({ fileName }) => fileName],
};

/** Creates a report of verdicts, one line each. */
export function emailsReport(pages: AsyncIterable<readonly ListedEmail[]>): Report {
  return {
    columns: Object.entries(columns).map(([name, [kind]]) => ({ name, own: false, kind })),
    blocks: linesOf(pages),
  };
}

async function* linesOf(pages: AsyncIterable<readonly ListedEmail[]>): AsyncGenerator<readonly Cell[][]> {
  const cells = Object.values(columns).map(([, cell]) => cell);
  for await (const page of pages) yield page.map((listed) => cells.map((cell) => cell(listed)));
}

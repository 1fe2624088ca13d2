import { sql } from 'drizzle-orm';
import { mxRecordOf } from '../../../src/core/emails/domains/mail-domain.ts';
import type { EmailVerdict } from '../../../src/core/emails/verdict/verdict.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';

/** Stores the verdicts among the results, as `reports.email_results` shows them. */
export async function storeVerdicts(db: Sql, results: readonly LookupResult[]): Promise<void> {
  const rows = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'completed' ? [toRow(lookupId, answer.verdict)] : [],
  );
  if (rows.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.email_results
      SELECT * FROM jsonb_populate_recordset(NULL::nightshift.email_results, ${JSON.stringify(rows)}::jsonb)`,
  );
}

function toRow(lookupId: bigint, verdict: EmailVerdict) {
  const { address, domain, provider, mailbox, reasons } = verdict;
  const has = (reason: (typeof reasons)[number]) => reasons.includes(reason);
  return {
    lookup_id: lookupId.toString(),
    status: verdict.status,
    sub_status: verdict.subStatus,
    recommendation: verdict.recommendation,
    verification_level: verdict.level,
    reasons,
    normalised_email: address?.normalised ?? null,
    canonical_email: verdict.canonical,
    did_you_mean: verdict.didYouMean,
    ascii_domain: address?.asciiDomain ?? null,
    registrable_domain: address?.registrableDomain ?? null,
    is_disposable: has('disposable_domain'),
    is_privacy_relay: has('privacy_relay'),
    is_role: has('role_account'),
    is_free: has('free_provider'),
    requires_smtputf8: address?.requiresSmtputf8 ?? false,
    is_catch_all: verdict.isCatchAll,
    mx_record: mxRecordOf(domain),
    mx_provider: provider?.id ?? null,
    mx_security_gateway: provider === null ? null : provider.kind === 'gateway',
    implicit_mx: domain === null ? null : domain.route.kind === 'hosts' && domain.route.implicit,
    has_spf: domain?.hasSpf ?? null,
    has_dmarc: domain?.hasDmarc ?? null,
    smtp_host: mailbox?.host ?? null,
    smtp_code: mailbox?.reply?.code ?? null,
    smtp_enhanced_code: mailbox?.reply?.enhancedCode ?? null,
    catch_all_probe: mailbox?.catchAll ?? null,
    probe_attempts: mailbox?.attempts ?? null,
    checked_at: verdict.checkedAt.toISOString(),
    retry_at: verdict.retryAt?.toISOString() ?? null,
  };
}

import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { mxRecordOf } from '../../../core/emails/domains/mail-domain.ts';
import { emailReasons, type EmailReason } from '../../../core/emails/reasons.ts';
import type { ValidatedEmail } from '../../../core/validation/validate-request.ts';
import {
  emailStatuses,
  recommendations,
  verificationLevels,
  type EmailVerdict,
} from '../../../core/emails/verdict/verdict.ts';
import {
  addressFields,
  didYouMean,
  domainFields,
  flag,
  known,
  mxRecord,
  retryAt,
} from './evidence-fields.ts';

/** The request body of the email validation (docs/architecture/contract.md, 2.3). Unknown fields are ignored. */
export const emailValidationRequest = z
  .object({
    email: z.string().openapi({ description: 'The address to validate.', example: 'jane@example.com' }),
  })
  .openapi('EmailValidationRequest');

const reason = z.object({
  code: z.string().openapi({ description: 'Stable code of the reason, for programs.' }),
  stage: z.enum(['syntax', 'domain', 'smtp', 'policy', 'quality']),
  about: z.enum(['recipient', 'domain', 'sender', 'network', 'policy']),
  retryable: z.boolean().openapi({ description: 'True if a later validation may give another result.' }),
});

/** The response body of the email validation: our choice, because the contract shows none. */
export const emailValidationBody = z
  .object({
    email: z.string().openapi({ description: 'The address as sent.' }),
    email_status: z.enum(emailStatuses).openapi({
      description: `\`valid\`: the mail server accepts the address, and rejects an address that does not exist. \`invalid\`: no mail can reach
the address. \`catch_all\`: the mail server accepts any address of the domain. \`unknown\`: the checks found nothing against the address.`,
    }),
    sub_status: z.string().openapi({ description: 'Code of the decisive reason.' }),
    recommendation: z.enum(recommendations),
    verification_level: z.enum(verificationLevels).openapi({ description: 'Deepest check that was made.' }),
    reasons: z.array(reason).openapi({ description: 'Reasons for the verdict, the decisive one first.' }),
    normalized_email: z.string().nullable().openapi({
      description:
        'The address with its domain in lower case and its local part unchanged. Null if the input is not an address.',
    }),
    canonical_email: z.string().nullable().openapi({
      description:
        'Key for finding likely duplicates: the address without tags and insignificant dots. Do not send mail to it.',
    }),
    local_part: z.string().nullable(),
    domain: z.string().nullable(),
    ascii_domain: z.string().nullable(),
    registrable_domain: z.string().nullable(),
    requires_smtputf8: flag(
      'True if the address requires a mail server that accepts non-ASCII addresses (SMTPUTF8).',
    ),
    did_you_mean: didYouMean,
    ...addressFields,
    mx_found: known('The domain has a mail server.'),
    mx_record: mxRecord,
    mx_provider: z
      .string()
      .nullable()
      .openapi({ description: 'Provider of the mail host. Null if unknown.' }),
    ...domainFields,
    smtp: z
      .object({
        host: z.string(),
        code: z.int().nullable(),
        enhanced_code: z.string().nullable(),
        catch_all_probe: z.enum(['accepted', 'refused', 'inconclusive', 'not_run']),
        attempts: z.int(),
        duration_ms: z.int(),
      })
      .nullable()
      .openapi({ description: 'Response of the mail server. Null if it was not asked.' }),
    checked_at: z.iso.datetime(),
    from_cache: flag('True if the verdict needed no new check.'),
    expires_at: z.iso.datetime().nullable().openapi({
      description: 'Time until which the verdict is reused without new checks. Null if it is not reused.',
    }),
    retry_at: retryAt,
    credits_consumed: z
      .number()
      .openapi({ description: 'Credits charged for the call. Always 0 for `unknown`.' }),
    message: z.string().openapi({ description: 'The decisive reason as text for people.' }),
  })
  .openapi('EmailValidationResponse');

/** Creates the response body. */
export function toEmailValidationBody(
  verdict: EmailVerdict,
  { chargedMicro }: Pick<ValidatedEmail, 'chargedMicro'>,
): z.infer<typeof emailValidationBody> {
  const { address, domain, provider, mailbox, reasons } = verdict;
  const has = (code: EmailReason) => reasons.includes(code);
  return {
    email: verdict.email,
    email_status: verdict.status,
    sub_status: verdict.subStatus,
    recommendation: verdict.recommendation,
    verification_level: verdict.level,
    reasons: reasons.map(toReason),
    normalized_email: address?.normalised ?? null,
    canonical_email: verdict.canonical,
    local_part: address?.localPart ?? null,
    domain: address?.domain ?? null,
    ascii_domain: address?.asciiDomain ?? null,
    registrable_domain: address?.registrableDomain ?? null,
    requires_smtputf8: address?.requiresSmtputf8 ?? false,
    did_you_mean: verdict.didYouMean,
    is_disposable: has('disposable_domain'),
    is_privacy_relay: has('privacy_relay'),
    is_role: has('role_account'),
    is_free: has('free_provider'),
    is_domain_catch_all: verdict.isCatchAll,
    mx_found: mxFoundOf(verdict),
    mx_record: mxRecordOf(domain),
    mx_provider: provider?.id ?? null,
    mx_security_gateway: provider === null ? null : provider.kind === 'gateway',
    implicit_mx: domain === null ? null : domain.route.kind === 'hosts' && domain.route.implicit,
    has_spf: domain?.hasSpf ?? null,
    has_dmarc: domain?.hasDmarc ?? null,
    smtp: mailbox && {
      host: mailbox.host,
      code: mailbox.reply?.code ?? null,
      enhanced_code: mailbox.reply?.enhancedCode ?? null,
      catch_all_probe: mailbox.catchAll,
      attempts: mailbox.attempts,
      duration_ms: Math.round(mailbox.durationMs),
    },
    checked_at: verdict.checkedAt.toISOString(),
    from_cache: verdict.fromCache,
    expires_at: verdict.expiresAt?.toISOString() ?? null,
    retry_at: verdict.retryAt?.toISOString() ?? null,
    credits_consumed: creditsNumber(chargedMicro),
    message: emailReasons[verdict.subStatus].message,
  };
}

function toReason(code: EmailReason) {
  const { stage, about, retryable } = emailReasons[code];
  return { code, stage, about, retryable };
}

function mxFoundOf({ domain }: EmailVerdict): boolean | null {
  if (domain === null || domain.route.kind === 'unknown') return null;
  return domain.route.kind === 'hosts' && !domain.route.implicit;
}

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

/** The request body of the email validation (docs/architecture/contract.md, 2.3). Fields that we do not know are ignored. */
export const emailValidationRequest = z
  .object({
    email: z.string().openapi({ description: 'The address to validate.', example: 'jane@example.com' }),
  })
  .openapi('EmailValidationRequest');

const reason = z.object({
  code: z.string().openapi({ description: 'Stable; programs rely on it.' }),
  stage: z.enum(['syntax', 'domain', 'smtp', 'policy', 'quality']),
  about: z.enum(['recipient', 'domain', 'sender', 'network', 'policy']),
  retryable: z.boolean().openapi({ description: 'Whether asking again later may give another answer.' }),
});

const known = (what: string) =>
  z
    .boolean()
    .nullable()
    .openapi({ description: `${what} Null: not known.` });
const flag = (what: string) => z.boolean().openapi({ description: what });

/** The response body of the email validation: our choice, the contract shows none. */
export const emailValidationBody = z
  .object({
    email: z.string().openapi({ description: 'The address as sent.' }),
    email_status: z.enum(emailStatuses).openapi({
      description: `\`valid\`: the mail server accepts it, and refuses an address that nobody has. \`invalid\`: no mail can reach it.
\`catch_all\`: the mail server accepts any address of the domain. \`unknown\`: nothing speaks against it as far as was looked.`,
    }),
    sub_status: z.string().openapi({ description: 'The code of what decided.' }),
    recommendation: z.enum(recommendations),
    verification_level: z.enum(verificationLevels).openapi({ description: 'How far was looked.' }),
    reasons: z.array(reason).openapi({ description: 'All that is worth knowing, the decisive one first.' }),
    normalized_email: z.string().nullable().openapi({
      description:
        'The domain in lower case, case and dots of the local part as they are; null where there is no address.',
    }),
    canonical_email: z.string().nullable().openapi({
      description: 'Marks likely duplicates: tags and meaningless dots left out. Never write to it.',
    }),
    local_part: z.string().nullable(),
    domain: z.string().nullable(),
    ascii_domain: z.string().nullable(),
    registrable_domain: z.string().nullable(),
    requires_smtputf8: flag('Only mail servers that take addresses beyond ASCII take it.'),
    did_you_mean: z.string().nullable().openapi({ description: 'The address that was probably meant.' }),
    is_disposable: flag('The domain gives out throw-away addresses.'),
    is_privacy_relay: flag('The domain forwards to an address that it keeps private.'),
    is_role: flag('The address is that of a function, not of a person.'),
    is_free: flag('The domain gives out addresses to everybody, free of charge.'),
    is_domain_catch_all: known('The mail server accepts any address of the domain.'),
    mx_found: known('The domain has a mail server.'),
    mx_record: z.string().nullable().openapi({ description: 'The mail host that is asked first.' }),
    mx_provider: z.string().nullable().openapi({ description: 'Who runs it, where a list knows its name.' }),
    mx_security_gateway: known('It filters mail for somebody else.'),
    implicit_mx: known('There is no MX record; the domain itself takes the mail.'),
    has_spf: known('The domain says who may send mail in its name (SPF).'),
    has_dmarc: known('The domain has a DMARC policy.'),
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
      .openapi({ description: 'What the mail server said; null where it was not asked.' }),
    checked_at: z.iso.datetime(),
    from_cache: flag('Everything was known from before.'),
    expires_at: z.iso.datetime().nullable().openapi({ description: 'Until then nobody is asked again.' }),
    retry_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When asking again may give another answer.' }),
    credits_consumed: z
      .number()
      .openapi({ description: 'Credits charged for the call; never any for `unknown`.' }),
    message: z.string().openapi({ description: 'What decided, in plain words.' }),
  })
  .openapi('EmailValidationResponse');

/** The response body. */
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

import { z } from '@hono/zod-openapi';
import type { EmailVerdict } from '../../core/email/validate-email.ts';

/** The request body of the email validation (service contract §2.3). Fields that we do not know are ignored. */
export const emailValidationRequest = z
  .object({
    email: z.string().openapi({ description: 'The address to validate.', example: 'jane@example.com' }),
  })
  .openapi('EmailValidationRequest');

/** The response body of the email validation: our choice, the contract shows none. */
export const emailValidationBody = z
  .object({
    email: z.string().openapi({ description: 'The address as sent.' }),
    email_status: z.enum(['invalid', 'unknown']).openapi({
      description:
        '`invalid`: no mail can be sent to it. `unknown`: nothing speaks against it as far as was looked.',
    }),
    sub_status: z.string().openapi({ description: 'The reason, a stable code.' }),
    recommendation: z.enum(['do_not_send', 'review']),
    verification_level: z.enum(['syntax']).openapi({ description: 'How far was looked.' }),
    normalized_email: z.string().nullable().openapi({
      description: 'The domain in lower case, the local part as it is; null where there is no address.',
    }),
    local_part: z.string().nullable(),
    domain: z.string().nullable(),
    ascii_domain: z.string().nullable(),
    registrable_domain: z.string().nullable(),
    credits_consumed: z.number().openapi({ description: 'Credits charged for the call.' }),
    message: z.string().openapi({ description: 'Human-readable status message.' }),
  })
  .openapi('EmailValidationResponse');

/** The response body. What syntax alone says is free. */
export function toEmailValidationBody(verdict: EmailVerdict): z.infer<typeof emailValidationBody> {
  const { address } = verdict;
  return {
    email: verdict.email,
    email_status: verdict.status,
    sub_status: verdict.subStatus,
    recommendation: verdict.recommendation,
    verification_level: verdict.level,
    normalized_email: address?.normalised ?? null,
    local_part: address?.localPart ?? null,
    domain: address?.domain ?? null,
    ascii_domain: address?.asciiDomain ?? null,
    registrable_domain: address?.registrableDomain ?? null,
    credits_consumed: 0,
    message:
      verdict.status === 'invalid'
        ? 'This is no address that mail can be sent to.'
        : 'The address is well formed; whether it exists was not checked.',
  };
}

import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import type { LedgerLine } from '../../../core/credits/ledger-list.ts';
import { operations } from '../../../core/credits/price-book.ts';
import { emailStatuses } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes, emailOutcomes } from '../../../core/work/outcomes.ts';

export const ledgerEntryBody = z
  .object({
    seq: z.int().openapi({ description: 'Counts the entries of the account, from 1, without a gap.' }),
    kind: z.enum(['grant', 'reserve', 'settle', 'release']).openapi({
      description:
        '`reserve` sets aside, `settle` charges and gives the rest back, `release` gives all back.',
    }),
    credits: z.number().openapi({ description: 'Change of what can be spent.' }),
    held: z.number().openapi({ description: 'Change of what is set aside.' }),
    credits_after: z.number(),
    held_after: z.number(),
    batch: z.string().nullable().openapi({ description: 'The batch that it belongs to.' }),
    request_id: z
      .string()
      .nullable()
      .openapi({ description: 'The request of a single search that it belongs to.' }),
    reason: z.string().nullable().openapi({ description: 'Of a grant.' }),
    at: z.iso.datetime(),
    operation: z.enum(operations).nullable().openapi({ description: 'Of the lookup that it belongs to.' }),
    company_domain: z.string().nullable().openapi({
      description: 'Whom that was about, or in `email` the address; null where that was purged or forgotten.',
    }),
    company_name: z.string().nullable(),
    email: z.string().nullable(),
    outcome: z
      .enum([...new Set([...adsOutcomes, ...emailOutcomes])])
      .nullable()
      .openapi({
        description:
          'Of the entry that ended the lookup: what it came to, such as `none` where it is free because there are no ads.',
      }),
    email_status: z
      .enum(emailStatuses)
      .nullable()
      .openapi({ description: 'Of a validation that was completed: the verdict. `unknown` is free.' }),
  })
  .openapi('LedgerEntry');

export const ledgerBody = z
  .object({
    entries: z.array(ledgerEntryBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
  })
  .openapi('Ledger');

export function toLedgerEntryBody(line: LedgerLine): z.infer<typeof ledgerEntryBody> {
  return {
    seq: Number(line.seq),
    kind: line.kind,
    credits: creditsNumber(line.balanceDeltaMicro),
    held: creditsNumber(line.heldDeltaMicro),
    credits_after: creditsNumber(line.balanceAfterMicro),
    held_after: creditsNumber(line.heldAfterMicro),
    batch: line.batch,
    request_id: line.request,
    reason: line.reason,
    at: line.at.toISOString(),
    operation: line.operation,
    company_domain: line.companyDomain,
    company_name: line.companyName,
    email: line.email,
    outcome: line.outcome,
    email_status: line.emailStatus,
  };
}

import { z } from '@hono/zod-openapi';
import { nextCursor } from '../../http/pages.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import type { LedgerLine } from '../../../core/credits/ledger-list.ts';
import { operations } from '../../../core/credits/price-book.ts';
import { emailStatuses } from '../../../core/emails/verdict/verdict.ts';
import { adsOutcomes, emailOutcomes } from '../../../core/work/outcomes.ts';

export const ledgerEntryBody = z
  .object({
    seq: z
      .int()
      .openapi({ description: 'Sequence number of the entry in the account, from 1, without gaps.' }),
    kind: z.enum(['grant', 'reserve', 'settle', 'release']).openapi({
      description:
        '`grant` adds credits, `reserve` holds them for a lookup, `settle` charges and releases the rest, `release` releases all of them.',
    }),
    credits: z.number().openapi({ description: 'Change of the available credits.' }),
    held: z.number().openapi({ description: 'Change of the reserved credits.' }),
    credits_after: z.number(),
    held_after: z.number(),
    batch: z.string().nullable().openapi({ description: 'The batch of the lookup. Null for other entries.' }),
    request_id: z
      .string()
      .nullable()
      .openapi({ description: 'Request id of a single search or validation. Null for other entries.' }),
    reason: z.string().nullable().openapi({ description: 'Reason of a grant. Null for other entries.' }),
    at: z.iso.datetime(),
    operation: z
      .enum(operations)
      .nullable()
      .openapi({ description: 'Operation of the lookup. Null for a grant.' }),
    company_domain: z.string().nullable().openapi({
      description:
        'Domain of the company that was looked up; an address is in `email`. Null if it was purged or erased.',
    }),
    company_name: z.string().nullable(),
    email: z.string().nullable(),
    outcome: z
      .enum([...new Set([...adsOutcomes, ...emailOutcomes])])
      .nullable()
      .openapi({
        description:
          'Outcome of the lookup, on the entry that ended it, such as `none` (no ads, free). Null for other entries, and for a purged lookup that was free.',
      }),
    email_status: z.enum(emailStatuses).nullable().openapi({
      description:
        'Verdict of a completed validation. `unknown` is free. Null for other entries, and after a purge.',
    }),
  })
  .openapi('LedgerEntry');

export const ledgerBody = z
  .object({
    entries: z.array(ledgerEntryBody),
    next: nextCursor,
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

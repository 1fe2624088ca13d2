import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../core/credits/credits.ts';
import type { LedgerLine } from '../../core/credits/ledger-list.ts';

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
  };
}

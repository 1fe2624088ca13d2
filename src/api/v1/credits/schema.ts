import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import type { Balance } from '../../../core/credits/ledger.ts';

/** Body of the credit balance: our choice, because the contract shows no fields (docs/architecture/contract.md, 2.4). */
export const creditsBody = z
  .object({
    credits: z.number().openapi({ description: 'Available credits.', example: 99.8 }),
    held: z.number().openapi({ description: 'Credits reserved for open lookups.', example: 0.2 }),
    total: z
      .number()
      .openapi({ description: 'Sum of both: granted credits minus charged credits.', example: 100 }),
  })
  .openapi('Credits');

export function toCreditsBody({ balanceMicro, heldMicro }: Balance): z.infer<typeof creditsBody> {
  return {
    credits: creditsNumber(balanceMicro),
    held: creditsNumber(heldMicro),
    total: creditsNumber(balanceMicro + heldMicro),
  };
}

import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import type { Balance } from '../../../core/credits/ledger.ts';

/** The credit balance record: our choice, the contract shows no fields (docs/architecture/contract.md, 2.4). */
export const creditsBody = z
  .object({
    credits: z.number().openapi({ description: 'What can be spent.', example: 99.8 }),
    held: z.number().openapi({ description: 'What is set aside for lookups that are open.', example: 0.2 }),
    total: z
      .number()
      .openapi({ description: 'Both together: what was granted less what was charged.', example: 100 }),
  })
  .openapi('Credits');

export function toCreditsBody({ balanceMicro, heldMicro }: Balance): z.infer<typeof creditsBody> {
  return {
    credits: creditsNumber(balanceMicro),
    held: creditsNumber(heldMicro),
    total: creditsNumber(balanceMicro + heldMicro),
  };
}

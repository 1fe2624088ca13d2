import { z } from '@hono/zod-openapi';

/** The headers of every POST beside the key. */
export const postHeaders = z.object({
  'Idempotency-Key': z.string().max(255).optional().openapi({
    description:
      'Names what is asked for, so that a repeat has no second effect: it is given the first answer again, with the header Idempotency-Replayed. 1 to 255 visible ASCII characters, remembered for 24 hours.',
  }),
});

import { z } from '@hono/zod-openapi';

/** Headers of every POST besides the key. */
export const postHeaders = z.object({
  'Idempotency-Key': z.string().max(255).optional().openapi({
    description:
      'Makes a retry safe: a repeated request with the same key has no second effect and returns the first response again, with the header Idempotency-Replayed. 1 to 255 visible ASCII characters. Keys expire after 24 hours.',
  }),
});

import { z } from '@hono/zod-openapi';
import { formatAdKey } from '../../../core/ads/ad-key.ts';

/** Field with the id of an ad. */
export const adIdField = z
  .string()
  .nullable()
  .openapi({ description: 'Id of the ad, for `GET /v1/ads/{id}`. Null if the source returned no ids.' });

export function toAdId({
  advertiserId,
  creativeId,
}: {
  readonly advertiserId: string | null;
  readonly creativeId: string | null;
}): string | null {
  if (advertiserId === null || creativeId === null) return null;
  return formatAdKey({ kind: 'creative', advertiserId, creativeId });
}

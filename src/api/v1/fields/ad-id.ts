import { z } from '@hono/zod-openapi';
import { formatAdKey } from '../../../core/ads/ad-key.ts';

/** The id of an ad, beside what else is said of it. */
export const adIdField = z
  .string()
  .nullable()
  .openapi({ description: 'The ad, for `GET /v1/ads/{id}`; null of one that its source gave no ids.' });

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

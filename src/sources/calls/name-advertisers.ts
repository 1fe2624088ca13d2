import { createHash } from 'node:crypto';

/** Ids that a text shows; more are told by their number and a digest. Our choice: a text stands on record with every call. */
const shownMax = 5;

/** Advertisers in the text of `SourceCall.about`: the same for the same ones in the same order, and for others another. */
export function nameAdvertisers(ids: readonly string[]): string {
  if (ids.length <= shownMax) return ids.join(', ');
  const digest = createHash('sha256').update(JSON.stringify(ids)).digest('hex');
  return `${ids.length} advertisers (${digest.slice(0, 12)})`;
}

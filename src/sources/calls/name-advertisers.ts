import { createHash } from 'node:crypto';

/**
 * Maximum number of listed ids; the others are represented by their number and a digest. Our choice: the text is recorded with
 * every call.
 */
const shownMax = 5;

/** Advertisers in `SourceCall.about`: the same text for the same advertisers in the same order, and another text otherwise. */
export function nameAdvertisers(ids: readonly string[]): string {
  if (ids.length <= shownMax) return ids.join(', ');
  const digest = createHash('sha256').update(JSON.stringify(ids)).digest('hex');
  return `${ids.length} advertisers (${digest.slice(0, 12)})`;
}

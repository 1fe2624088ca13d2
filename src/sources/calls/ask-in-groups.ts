import type { AdsAnswer, Extent } from '../../core/ads/ads-answer.ts';
import { wholeExtent } from '../../core/ads/ads-answer.ts';
import { orError } from './collect-pages.ts';
import { distinctAds } from '../ads/distinct-ads.ts';

export interface GroupBounds {
  /** Advertisers that the source takes in one question. */
  readonly sizeMax: number;
  /** Ads after which no further group is asked about; null: all are. */
  readonly adsMax: number | null;
  /** `Exchange.comesBack`. */
  readonly comesBack: boolean;
}

/** `asksOn`: other groups follow, so that no ads in this one are not the answer yet. */
export type AskGroup = (group: readonly string[], more: { readonly asksOn: boolean }) => Promise<AdsAnswer>;

/**
 * Asks about advertisers in groups as large as the source takes them, one group after the other, and puts the answers together.
 *
 * Trouble before the first ad is thrown; trouble with a later group leaves what came before it, marked as partial, unless it
 * passes and one comes back (`orTrouble`).
 */
export async function askInGroups(
  advertiserIds: readonly string[],
  { sizeMax, adsMax, comesBack }: GroupBounds,
  ask: AskGroup,
): Promise<AdsAnswer> {
  const [first = [], ...others] = groupsOf(advertiserIds, sizeMax);
  let answer = await ask(first, { asksOn: others.length > 0 });
  for (const [i, group] of others.entries()) {
    const asksOn = i < others.length - 1;
    const count = countAds(answer);
    if (count >= (adsMax ?? Infinity)) return marked(answer, { truncated: true });
    const next = await orError(ask(group, { asksOn }), { hasAds: count > 0, comesBack });
    if (next === null) return marked(answer, { partial: true, truncated: false });
    answer = joined(answer, next);
  }
  return answer;
}

function groupsOf(ids: readonly string[], sizeMax: number): readonly (readonly string[])[] {
  const starts = Array.from({ length: Math.ceil(ids.length / sizeMax) }, (_, i) => i * sizeMax);
  return starts.map((start) => ids.slice(start, start + sizeMax));
}

function countAds(answer: AdsAnswer): number {
  return answer.kind === 'found' ? answer.ads.length : 0;
}

function marked(answer: AdsAnswer, marks: Partial<Extent>): AdsAnswer {
  if (answer.kind !== 'found') return answer;
  return { ...answer, extent: { ...(answer.extent ?? wholeExtent), ...marks } };
}

/** The ads of both; a group without ads adds nothing. */
function joined(one: AdsAnswer, other: AdsAnswer): AdsAnswer {
  if (one.kind !== 'found') return other;
  if (other.kind !== 'found') return one;
  const [a, b] = [one.extent ?? wholeExtent, other.extent ?? wholeExtent];
  const extent: Extent = {
    partial: a.partial || b.partial,
    truncated: a.truncated || b.truncated,
    estimate: sumOf(a.estimate, b.estimate),
  };
  return { ...one, ads: distinctAds([...one.ads, ...other.ads]), extent };
}

function sumOf(a: Extent['estimate'], b: Extent['estimate']): Extent['estimate'] {
  return a === null || b === null ? null : { low: a.low + b.low, high: a.high + b.high };
}

import type { AdsAnswer, Extent } from '../../core/ads/ads-answer.ts';
import { wholeExtent } from '../../core/ads/ads-answer.ts';
import { orError } from './collect-pages.ts';
import { distinctAds } from '../ads/distinct-ads.ts';

export interface GroupBounds {
  /** Maximum number of advertisers per call. */
  readonly sizeMax: number;
  /** Number of ads after which no further group is requested; null: all groups are. */
  readonly adsMax: number | null;
  /** `SourceCallExecutor.comesBack`. */
  readonly comesBack: boolean;
}

/** `asksOn`: other groups follow, so that a group without ads is not the final answer. */
export type AskGroup = (group: readonly string[], more: { readonly asksOn: boolean }) => Promise<AdsAnswer>;

/**
 * Requests the ads of advertisers in groups of the maximum size, one after the other, and combines the answers.
 *
 * An error before the first ad is thrown. An error in a later group keeps the earlier ads and marks them as partial, unless it
 * is transient and the lookup is retried (`orError`).
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

/** The ads of both answers; a group without ads adds nothing. */
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

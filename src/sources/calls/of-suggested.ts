import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import type { ChosenAdvertisers } from '../../core/sources/choose-advertisers.ts';

/** Advertisers that were chosen among the suggestions of a source. */
export type Suggested = Extract<ChosenAdvertisers, { readonly kind: 'advertisers' }>;

/** Adds to the answer of a search for suggested advertisers what the suggestions say: their names and countries, and those that are uncertain. */
export function ofSuggested({ advertisers, candidates }: Suggested, answer: AdsAnswer): AdsAnswer {
  switch (answer.kind) {
    case 'found':
      return { ...answer, knownAdvertisers: advertisers, candidates };
    case 'none':
    case 'no_match':
      return { ...answer, candidates };
    default:
      return answer;
  }
}

import type { AdsAnswer } from '../../core/ads/ads-answer.ts';

/** The answer to a search for a domain that was chosen for a company's name: whoever advertises that domain is in it. */
export function searchedFor(domain: string, answer: AdsAnswer): AdsAnswer {
  return answer.kind === 'found' ? { ...answer, searchedDomain: domain } : answer;
}

import type { AdsAnswer } from '../../core/ads/ads-answer.ts';

/** Marks an answer to a search for a domain that was inferred from a company's name: it contains everyone who advertises that domain. */
export function searchedFor(domain: string, answer: AdsAnswer): AdsAnswer {
  return answer.kind === 'found' ? { ...answer, searchedDomain: domain } : answer;
}

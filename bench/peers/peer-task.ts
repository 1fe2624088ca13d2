import type { Ad } from '../../src/core/ads/ad.ts';
import type { CompanyQuery } from '../../src/core/companies/company.ts';
import { limitAnswer } from '../../src/core/sources/limit-answer.ts';
import { answerAbout } from '../console/synthetic-source.ts';

/** A company to look up: the payload of a job. */
export interface PeerCompany extends CompanyQuery {
  readonly id: number;
}

/** What the local source says about a company, in the form that is committed. */
export interface PeerAnswer {
  readonly id: number;
  readonly key: string;
  readonly outcome: string;
  readonly ads: readonly Ad[];
}

/** A search as that of the product's batch: all ads, in any region, and no advertiser mapped. */
const search = { mapping: [], region: null, adsMax: null, requestKey: '', via: [] };

/**
 * Asks the local source, which is in the process, and evaluates the advertisers of its ads by the product's rule: the same work and the same
 * answer for every engine. A search by name leaves out the ads of advertisers that are not the company.
 */
export function askSource(company: PeerCompany, seed: number): PeerAnswer {
  const answer = limitAnswer(
    answerAbout(company, seed),
    { company, ...search },
    { adsMax: null, ownOnly: false },
  );
  return {
    id: company.id,
    key: company.key,
    outcome: answer.kind,
    ads: answer.kind === 'found' ? answer.ads : [],
  };
}

import type { Ad } from '../../src/core/ads/ad.ts';
import type { CompanyQuery } from '../../src/core/companies/company.ts';
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

/** Asks the local source, which is in the process: the same answer for every engine. */
export function askSource(company: PeerCompany, seed: number): PeerAnswer {
  const answer = answerAbout(company, seed);
  return {
    id: company.id,
    key: company.key,
    outcome: answer.kind,
    ads: answer.kind === 'found' ? answer.ads : [],
  };
}

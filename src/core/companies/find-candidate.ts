import type { AdvertiserCandidateStore } from './advertiser-candidates.ts';
import type { AdvertiserSuggestions } from './advertiser-suggestions.ts';
import type { CompanyQuery } from './company.ts';
import type { DecidableAdvertiser } from './review-candidate.ts';

/**
 * Finds the evidence about an advertiser of a company: as a lookup of the account reported it, else as a local data set suggests it. Null if
 * neither names it.
 */
export async function findCandidate(
  {
    candidates,
    suggestions,
  }: {
    readonly candidates: Pick<AdvertiserCandidateStore, 'find'>;
    readonly suggestions: AdvertiserSuggestions;
  },
  {
    accountId,
    company,
    advertiserId,
  }: {
    readonly accountId: number;
    readonly company: CompanyQuery;
    readonly advertiserId: string;
  },
): Promise<DecidableAdvertiser | null> {
  const reported = await candidates.find(accountId, company.key, advertiserId);
  if (reported !== null) return reported;
  for (const snapshot of ['snapshot', 'sample'] as const) {
    const [suggested = []] = await suggestions.suggest([company], snapshot);
    const found = suggested.find((each) => each.advertiserId === advertiserId);
    if (found !== undefined) return { ...found, companyKey: company.key };
  }
  return null;
}

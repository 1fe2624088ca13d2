import { registrableLabel } from '../domain.ts';
import type { AdvertiserProfile } from './advertiser-profile.ts';
import type { CompanyProfile } from './company-profile.ts';
import type { Score } from './score.ts';

/** Number of ads from which an advertiser found by a domain is more than a chance partner. Our choice. */
const manyAds = 50;

/** Adds what the advertiser's ads say: where they point, and how many there are. */
export function scoreAds(score: Score, company: CompanyProfile, advertiser: AdvertiserProfile): void {
  const { targets, byDomain, adsCount } = advertiser;
  if (byDomain && adsCount !== null && adsCount >= manyAds) {
    score.reasons.add('many_ads');
    score.logit += 0.4;
  }
  const { domain } = company;
  if (targets === null || domain === null) return;
  const label = registrableLabel(domain);
  // `nike.de` is the company's as `nike.com` is.
  if (targets.some((target) => target.domain === domain || target.label === label)) {
    score.reasons.add('advertises_domain');
    score.logit += byDomain ? 0.4 : 1.5;
  } else {
    score.reasons.add('advertises_elsewhere');
    score.logit -= 2;
  }
}

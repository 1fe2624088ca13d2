import type { NoMatch } from '../ads/ads-answer.ts';
import { toUncertain, evaluateReported, type KnownAdvertiser } from '../ads/evaluate-reported.ts';
import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import { parseDomain, registrableLabel } from '../companies/company.ts';
import type { MatchedCompany } from '../companies/match/company-profile.ts';
import { compactKeys } from '../companies/name-keys.ts';
import { isSharedHost } from '../companies/shared-hosts.ts';

/** An advertiser that a source suggests for a name. Many are natural persons: shown to the operator, never logged. */
export interface SuggestedAdvertiser extends KnownAdvertiser {
  readonly name: string;
}

/** Suggestions of a source for a name, in alphabetical order, which has no meaning. */
export interface Suggestions {
  readonly domains: readonly string[];
  readonly advertisers: readonly SuggestedAdvertiser[];
}

/** Next step for a name: search this domain, or all of these advertisers; or none, if none is certain. */
export type ChosenAdvertisers =
  | { readonly kind: 'domain'; readonly domain: string }
  | {
      readonly kind: 'advertisers';
      readonly advertisers: readonly SuggestedAdvertiser[];
      /** Advertisers that may belong to the company, too. */
      readonly candidates: readonly UncertainAdvertiser[];
    }
  | NoMatch;

/**
 * Endings without a country, in order of preference; the two-letter ones are used by companies everywhere. Our choice: a
 * company that owns its name under several of them uses the earlier one for itself.
 */
const genericEndings = ['com', 'org', 'net', 'io', 'co', 'ai', 'app', 'dev', 'eu', 'biz', 'info'];

/** Country endings that differ from the ISO code. */
const countryEndings: Readonly<Record<string, string>> = { gb: 'uk' };

/**
 * Identifies a company among a source's suggestions for its name (docs/guides/ad-sources.md). It never uses rank:
 *
 * 1. The suggested domain whose label is the compact name. Of several, the one with the ending of `region` (ISO 3166-1, two
 *    letters), else the first by `genericEndings`; if these leave none or two equal ones, the result is uncertain. Shared hosts
 *    do not count.
 * 2. Without such a domain, all advertisers that are evaluated as the company's own (`evaluateAdvertiser`).
 * 3. Otherwise the result is uncertain.
 */
export function chooseAdvertisers(
  company: MatchedCompany & { readonly name: string },
  suggestions: Suggestions,
  region: string | null = null,
): ChosenAdvertisers {
  const domains = namesakes(company.name, suggestions.domains);
  const domain = preferred(domains, region);
  if (domain !== null) return { kind: 'domain', domain };
  if (domains.length > 0) return { kind: 'no_match' };
  const known = suggestions.advertisers;
  const evaluated = evaluateReported(
    { company, foundBy: 'name', known },
    new Map(known.map(({ id }) => [id, []])),
  );
  const advertisers = known.filter(({ id }) => evaluated.get(id)?.match.relation === 'own');
  const candidates = [...evaluated.values()]
    .filter(({ match }) => match.relation === 'unknown')
    .map(toUncertain);
  if (advertisers.length > 0) return { kind: 'advertisers', advertisers, candidates };
  return candidates.length === 0 ? { kind: 'no_match' } : { kind: 'no_match', candidates };
}

/** The registrable domains among them whose label is the name, without duplicates. */
function namesakes(name: string, suggested: readonly string[]): readonly string[] {
  const keys = new Set(compactKeys(name));
  const domains = suggested.flatMap((text) => {
    const parsed = parseDomain(text);
    return parsed.kind === 'domain' && !isSharedHost(parsed.domain) ? [parsed.domain] : [];
  });
  return [...new Set(domains)].filter((domain) =>
    compactKeys(registrableLabel(domain)).some((key) => keys.has(key)),
  );
}

/** Prefers `nike.com` or `nike.co.uk`; null unless a rule prefers exactly one. */
function preferred(domains: readonly string[], region: string | null): string | null {
  const [only, ...others] = domains;
  if (others.length === 0) return only ?? null;
  const [local, ...locals] = domains.filter((domain) => region !== null && isLocal(domain, region));
  if (local !== undefined && locals.length === 0) return local;
  const ranked = genericEndings.map((ending) => domains.filter((domain) => endingOf(domain) === ending));
  const [first, ...alike] = ranked.find((found) => found.length > 0) ?? [];
  return first !== undefined && alike.length === 0 ? first : null;
}

/** `nike.de` in DE, and `nike.co.uk` in GB. */
function isLocal(domain: string, region: string): boolean {
  const country = region.toLowerCase();
  return domain.endsWith(`.${countryEndings[country] ?? country}`);
}

/** Everything after the first label: `com` of `nike.com`, `co.uk` of `nike.co.uk`. */
function endingOf(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1);
}

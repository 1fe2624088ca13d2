import { parseDomain, registrableLabel } from '../companies/company.ts';
import { compactKeys, nameKeys } from '../companies/name-keys.ts';
import { isSharedHost } from '../companies/shared-hosts.ts';

/** An advertiser as a source's search for names suggests it. Many are natural persons: for the operator's eyes, never for a log. */
export interface SuggestedAdvertiser {
  readonly id: string;
  readonly name: string;
  /** Country of registration, as ISO 3166-1 code, if the source reports it. */
  readonly country: string | null;
}

/** Suggestions of a source for a name. Their order is that of spelling and says nothing. */
export interface Suggestions {
  readonly domains: readonly string[];
  readonly advertisers: readonly SuggestedAdvertiser[];
}

/** Next step for a name: search by this domain, or by all of these advertisers; or the candidates, when none is certain. */
export type ChosenAdvertisers =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'advertisers'; readonly advertisers: readonly SuggestedAdvertiser[] }
  | { readonly kind: 'no_match'; readonly candidates: Suggestions };

/**
 * Endings that stand for no country, the one that is taken first at the front; two-letter ones are those that firms everywhere use. Our
 * choice: a company that has its name under several of them uses the earlier one for itself.
 */
const genericEndings = ['com', 'org', 'net', 'io', 'co', 'ai', 'app', 'dev', 'eu', 'biz', 'info'];

/** Country endings that differ from the ISO code. */
const countryEndings: Readonly<Record<string, string>> = { gb: 'uk' };

/**
 * Decides who a company is among a source's suggestions for its name (docs/guides/ad-sources.md). Never by rank and never by likeness:
 *
 * 1. the suggested domain whose label is the name written together. Of several, the one with the ending of `region` (ISO 3166-1, two
 * letters), else the first by `genericEndings`; where that leaves none or two alike, nobody can tell. Domains that many share do not count;
 * 2. without such a domain, all advertisers that have the same normalised name; 3. else nobody can tell.
 */
export function chooseAdvertisers(
  name: string,
  suggestions: Suggestions,
  region: string | null = null,
): ChosenAdvertisers {
  const domains = namesakes(name, suggestions.domains);
  const domain = preferred(domains, region);
  if (domain !== null) return { kind: 'domain', domain };
  if (domains.length > 0) return { kind: 'no_match', candidates: { domains, advertisers: [] } };
  const keys = new Set(nameKeys(name));
  const advertisers = suggestions.advertisers.filter((each) =>
    nameKeys(each.name).some((key) => keys.has(key)),
  );
  if (advertisers.length > 0) return { kind: 'advertisers', advertisers };
  return { kind: 'no_match', candidates: suggestions };
}

/** The registrable domains among them whose label is the name, each once. */
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

/** Prefers `nike.com` or `nike.co.uk`; null where no rule prefers exactly one. */
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

/** All behind the first label: `com` of `nike.com`, `co.uk` of `nike.co.uk`. */
function endingOf(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1);
}

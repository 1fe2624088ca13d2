import { parseDomain, registrableLabel } from '../domain.ts';
import { profileName, type NameProfile } from './name-profile.ts';
import { countryCode } from './country-code.ts';

/** An advertiser as a source reports it. What is not known is null or left out. */
export interface MatchedAdvertiser {
  readonly name: string | null;
  /** Way in which the source was searched when it returned the advertiser. */
  readonly foundBy: 'domain' | 'name';
  /** Name in the register, if it may differ from the name. */
  readonly legalName?: string | null | undefined;
  /** Country, as ISO 3166-1 code of two letters or by its name. */
  readonly location?: string | null | undefined;
  readonly verified?: boolean | null | undefined;
  /** Number of its ads in the answer of the source. */
  readonly adsCount?: number | null | undefined;
  /** Domains that its ads point to. */
  readonly targetDomains?: readonly string[] | null | undefined;
}

/** An advertiser, prepared for comparing with many companies. */
export interface AdvertiserProfile {
  readonly name: NameProfile | null;
  readonly legalName: NameProfile | null;
  readonly byDomain: boolean;
  /** By its location. */
  readonly country: string | null;
  readonly verified: boolean | null;
  readonly adsCount: number | null;
  /** Registrable domains that its ads point to, with their labels; null if unknown. */
  readonly targets: readonly { readonly domain: string; readonly label: string }[] | null;
}

/** Prepares an advertiser for comparing. */
export function profileAdvertiser(advertiser: MatchedAdvertiser): AdvertiserProfile {
  const { name, foundBy, legalName, location, verified, adsCount, targetDomains } = advertiser;
  return {
    name: name === null ? null : profileName(name),
    legalName:
      legalName === null || legalName === undefined || legalName === name ? null : profileName(legalName),
    byDomain: foundBy === 'domain',
    country: location === null || location === undefined ? null : countryCode(location),
    verified: verified ?? null,
    adsCount: adsCount ?? null,
    targets: targetDomains === null || targetDomains === undefined ? null : targetsOf(targetDomains),
  };
}

function targetsOf(domains: readonly string[]): AdvertiserProfile['targets'] {
  const targets = domains.flatMap((text) => {
    const parsed = parseDomain(text);
    return parsed.kind === 'domain'
      ? [{ domain: parsed.domain, label: registrableLabel(parsed.domain) }]
      : [];
  });
  return targets.length === 0 ? null : targets;
}

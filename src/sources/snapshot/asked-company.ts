import { registrableLabel, type CompanyQuery } from '../../core/companies/company.ts';
import { profileCompany, type CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { familiesVersion } from '../../core/companies/match/families/families.ts';
import { companyWords } from '../../core/companies/match/search-words.ts';
import { nameFitsDomain } from '../../core/companies/name-fits-domain.ts';
import { compactKeys, nameKeys } from '../../core/companies/name-keys.ts';
import type { CompanyKeys } from '../../core/sources/snapshot-store.ts';
import { createMemo } from '../../core/memo.ts';

/** A company, prepared for its search in a snapshot. */
export interface AskedCompany extends Omit<CompanyKeys, 'mapping'> {
  readonly profile: CompanyProfile;
}

/** Companies by name and domain, as far as they fit: a schedule asks about the same ones every night. */
const prepared = createMemo<string, AskedCompany>(10_000);
let preparedVersion = 0;

/** Prepares a company, or finds it among those prepared before. The name beside a domain counts only if it fits it (`nameFitsDomain`). */
export function askedCompany({ name, domain }: Pick<CompanyQuery, 'name' | 'domain'>): AskedCompany {
  if (preparedVersion !== familiesVersion()) prepared.clear();
  preparedVersion = familiesVersion();
  return prepared.get(`${name ?? ''}\n${domain ?? ''}`, () => prepare(name, domain));
}

function prepare(name: string | null, domain: string | null): AskedCompany {
  const isNamed = name !== null && (domain === null || nameFitsDomain(name, domain));
  const profile = profileCompany({ name: isNamed ? name : null, domain });
  return {
    profile,
    words: companyWords(profile),
    nameKeys: name === null || profile.name === null ? [] : nameKeys(name),
    labelKeys: domain === null ? [] : compactKeys(registrableLabel(domain)),
  };
}

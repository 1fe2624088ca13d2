import type { Alignment } from './align.ts';
import type { CompanyProfile } from './company-profile.ts';
import type { NameProfile } from './name-profile.ts';
import { familyIndex, knownNameOf, type KnownName } from './family-index.ts';

/** True if the name begins as that of another that shares a name with the company. */
export function namesakeOf({ families }: CompanyProfile, { spaced }: NameProfile): boolean {
  return families.namesakes.some((namesake) => spaced.startsWith(namesake));
}

/** True if a longer part of the name than the shared one names a family that is not the company's. */
export function isKnownOther(
  company: CompanyProfile,
  name: NameProfile,
  { identity, before }: Alignment,
): boolean {
  if (before.length > 0 || identity.kind === 'member' || identity.kind === 'parent') return false;
  const known = knownNameOf(name);
  return known !== null && known.compact.length > identity.compact.length && isOther(company, known);
}

/** True if the name begins as that of a family that is not the company's. */
export function isOtherFamily(company: CompanyProfile, name: NameProfile): boolean {
  const known = knownNameOf(name);
  return known !== null && isOther(company, known);
}

function isOther({ name, families }: CompanyProfile, known: KnownName): boolean {
  const own = name === null ? [] : (familyIndex().byName.get(name.compact) ?? []);
  for (const family of known.families)
    if (families.families.has(family) || own.some((each) => each.family === family)) return false;
  return true;
}

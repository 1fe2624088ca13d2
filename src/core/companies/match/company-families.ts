import type { NameProfile } from './name-profile.ts';
import { familyIndex, spacedWords, type FamilyName } from './family-index.ts';
import type { Family } from './families/parse-families.ts';

/** Families of a company, and their names. */
export interface CompanyFamilies {
  readonly families: ReadonlySet<Family>;
  /** Other names, brands and subsidiaries of the company. */
  readonly members: readonly string[];
  /** Names of the company that the company is a brand or subsidiary of. */
  readonly parents: readonly string[];
  /** Beginnings of the names of others, as `spacedWords` writes them. */
  readonly namesakes: readonly string[];
}

/** A company whose families are sought. */
export interface FamilyQuery {
  readonly profile: NameProfile | null;
  readonly domain: string | null;
  /** Label of the domain, written together. */
  readonly label: string | null;
  readonly countries: ReadonlySet<string> | null;
}

const none: CompanyFamilies = { families: new Set(), members: [], parents: [], namesakes: [] };
/** Letters of a name from which the label of a domain may add to it. */
const longCharsMin = 6;

/** Finds the families of a company by its domain and its name. A name that several families have needs a country or a domain. */
export function familiesOf(query: FamilyQuery): CompanyFamilies {
  const { byDomain, byName } = familyIndex();
  const { domain, profile, label } = query;
  const domainOwner = domain === null ? undefined : byDomain.get(domain);
  const compact = profile?.compact ?? label ?? '';
  // `Lilly (Eli)` is `Eli Lilly`.
  const reversed = profile === null || profile.texts.length !== 2 ? '' : profile.texts.toReversed().join('');
  const named =
    byName.get(compact) ?? byName.get(reversed) ?? (label === null ? undefined : byName.get(label)) ?? [];
  const found = chosenOf(named, domainOwner, query);
  if (found.length === 0) return none;
  return {
    families: new Set(found.map(({ family }) => family)),
    members: found.flatMap(({ family, isBrand }) => (isBrand ? [] : [...family.names, ...family.brands])),
    parents: found.flatMap(({ family, isBrand }) => (isBrand ? family.names : [])),
    namesakes: found.flatMap(({ family }) => spacedNamesakesOf(family)),
  };
}

function chosenOf(
  named: readonly FamilyName[],
  domainOwner: Family | undefined,
  query: FamilyQuery,
): readonly FamilyName[] {
  if (domainOwner !== undefined) {
    const own = { family: domainOwner, isBrand: false };
    const isOwner =
      query.profile === null ||
      named.length === 0 ||
      named.some((each) => each.family === domainOwner && !each.isBrand);
    return isOwner ? [own] : named.filter((each) => each.family === domainOwner || each.isBrand);
  }
  const text = query.profile?.spaced ?? '';
  const fitting = named.filter(
    ({ family, isBrand }) =>
      (fitsDomain(query) || isNamed(family, query.label)) &&
      (isBrand || fitsCountry(family, query)) &&
      !spacedNamesakesOf(family).some((namesake) => text.startsWith(namesake)),
  );
  const owners = fitting.filter(({ isBrand }) => !isBrand);
  const isClear = query.countries !== null || new Set(owners.map(({ family }) => family.country)).size < 2;
  if (!isClear) return [];
  return fitting;
}

function fitsDomain({ profile, label }: FamilyQuery): boolean {
  if (label === null || profile === null) return true;
  const { compact } = profile;
  if (label === compact) return true;
  const [shorter, longer] = label.length < compact.length ? [label, compact] : [compact, label];
  return (
    longer.startsWith(shorter) && (shorter.length >= longCharsMin || longer.length <= shorter.length + 4)
  );
}

/** True if the label of the domain is another name of the family: `zara.com` of Inditex. */
function isNamed(family: Family, label: string | null): boolean {
  return label !== null && (familyIndex().byName.get(label) ?? []).some((each) => each.family === family);
}

function fitsCountry(family: Family, { countries, label, profile }: FamilyQuery): boolean {
  if (countries === null || countries.has(family.country)) return true;
  // `nike.de` is the company's, too, but not the country of a small namesake without a domain.
  return label !== null && label === profile?.compact;
}

const spacedNamesakes = new WeakMap<Family, readonly string[]>();

function spacedNamesakesOf(family: Family): readonly string[] {
  const spaced = spacedNamesakes.get(family) ?? family.namesakes.map(spacedWords);
  spacedNamesakes.set(family, spaced);
  return spaced;
}

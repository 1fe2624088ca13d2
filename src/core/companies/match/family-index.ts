import { profileName, type NameProfile } from './name-profile.ts';
import { specificityOf } from './specificity.ts';
import { allFamilies, familiesVersion } from './families/families.ts';
import type { Family } from './families/parse-families.ts';

/** A family that has a name, and whether the name is a brand's or a subsidiary's. */
export interface FamilyName {
  readonly family: Family;
  readonly isBrand: boolean;
}

/** Families by their names, written together, and by their domains. */
export interface FamilyIndex {
  readonly byName: ReadonlyMap<string, readonly FamilyName[]>;
  readonly byDomain: ReadonlyMap<string, Family>;
  /** Names at the beginning of others, as far as they were sought. */
  readonly known: WeakMap<NameProfile, KnownName | 'none'>;
}

/** Words of a name from its beginning that are the name of a family. */
export interface KnownName {
  readonly compact: string;
  readonly families: ReadonlySet<Family>;
}

/** Words of the longest name of a family that is sought in another name. */
const wordsMax = 6;
/** Letters of a name from which it is sought. */
const knownCharsMin = 4;

let index: FamilyIndex | null = null;
let indexedVersion = -1;

/** Index of all families, built on first use. */
export function familyIndex(): FamilyIndex {
  if (index === null || indexedVersion !== familiesVersion()) {
    indexedVersion = familiesVersion();
    index = buildIndex(allFamilies());
  }
  return index;
}

function buildIndex(families: readonly Family[]): FamilyIndex {
  const byName = new Map<string, FamilyName[]>();
  const byDomain = new Map<string, Family>();
  for (const family of families) {
    for (const domain of family.domains) byDomain.set(domain, family);
    for (const [names, isBrand] of [
      [family.names, false],
      [family.brands, true],
    ] as const) {
      for (const name of names) {
        const compact = profileName(name)?.compact ?? '';
        const found = byName.get(compact) ?? [];
        if (!found.some((each) => each.family === family)) found.push({ family, isBrand });
        byName.set(compact, found);
      }
    }
  }
  byName.delete('');
  return { byName, byDomain, known: new WeakMap() };
}

/** The longest run of words from the beginning of a name that names a family; null if there is none. Found once for each profile. */
export function knownNameOf(name: NameProfile): KnownName | null {
  const { byName, known } = familyIndex();
  const found = known.get(name) ?? findKnown(byName, name.texts) ?? 'none';
  known.set(name, found);
  return found === 'none' ? null : found;
}

function findKnown(byName: FamilyIndex['byName'], texts: readonly string[]): KnownName | null {
  for (let end = Math.min(texts.length, wordsMax); end > 0; end -= 1) {
    const words = texts.slice(0, end);
    const compact = words.join('');
    const found = compact.length < knownCharsMin ? undefined : byName.get(compact);
    if (found !== undefined && end === 1 && specificityOf(words) === 'common') return null;
    if (found !== undefined) return { compact, families: new Set(found.map(({ family }) => family)) };
  }
  return null;
}

/** Words of a name and its legal forms, with a space before and behind each. */
export function spacedWords(name: string): string {
  return profileName(name)?.spaced ?? '';
}

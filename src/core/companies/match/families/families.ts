import { familiesAmericas1 } from './americas-1.ts';
import { familiesAmericas2 } from './americas-2.ts';
import { familiesAsia } from './asia.ts';
import { familiesEurope } from './europe.ts';
import { familiesEurope2 } from './europe-2.ts';
import { familiesEurope3 } from './europe-3.ts';
import { familiesOtherRegions } from './other-regions.ts';
import { familiesGlobal } from './global.ts';
import { parseFamilies, type Family } from './parse-families.ts';

// Origin of the shipped families: compiled from general knowledge on 2026-11-27, in the form of Wikidata and GLEIF level 2, and not copied from them.
// Licence: CC0-1.0.

const shipped = [
  familiesAmericas1,
  familiesAmericas2,
  familiesEurope,
  familiesEurope2,
  familiesEurope3,
  familiesAsia,
  familiesOtherRegions,
  familiesGlobal,
];

let added: readonly Family[] = [];
let version = 0;

/** All families: the shipped ones, and those that were added. */
export function allFamilies(): readonly Family[] {
  return [...shipped.flatMap(parseFamilies), ...added];
}

/** Number of the state of the families: it changes when families are added. */
export function familiesVersion(): number {
  return version;
}

/** Uses further families in this process, such as refreshed ones; later calls replace them. For the start of a process. */
export function addFamilies(text: string): void {
  added = parseFamilies(text);
  version += 1;
}

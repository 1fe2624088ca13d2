import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addFamilies } from '../../core/companies/match/families/families.ts';
import { Misconfigured } from '../../core/errors.ts';

/** Path of the refreshed families in the operator's folder of lists. */
export function refreshedFamiliesFile(own: string): string {
  return join(own, 'refreshed', 'families.txt');
}

/**
 * Uses the refreshed families beside the shipped ones, if there are any. For the start of a process.
 *
 * @throws Misconfigured when the file cannot be read.
 */
export function useRefreshedFamilies(own: string): void {
  const text = readRefreshedFamilies(own);
  if (text !== null) addFamilies(text);
}

/**
 * Text of the refreshed families; null if there are none.
 *
 * @throws Misconfigured when the file cannot be read.
 */
export function readRefreshedFamilies(own: string): string | null {
  const file = refreshedFamiliesFile(own);
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Misconfigured(`The list ${file} cannot be read.`, { cause });
  }
}

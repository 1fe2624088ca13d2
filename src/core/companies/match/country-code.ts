import { foldText } from '../fold-text.ts';
import { canonicalWord, countryOf } from './word-kinds.ts';

const twoLetters = /^[a-z]{2}$/i;

/** ISO 3166-1 code of a country that is given by its code or by its name: `gb`, `UK` and `United Kingdom` give `GB`. Null for other texts. */
export function countryCode(text: string): string | null {
  const trimmed = text.trim();
  if (twoLetters.test(trimmed)) return trimmed.toUpperCase() === 'UK' ? 'GB' : trimmed.toUpperCase();
  for (const word of foldText(trimmed).split(' ')) {
    const code = countryOf(canonicalWord(word));
    if (code !== null) return code;
  }
  return null;
}

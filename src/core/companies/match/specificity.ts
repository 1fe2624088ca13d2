import { isCommonWord, isPersonName, kindOf } from './word-kinds.ts';

/**
 * Degree to which a name identifies a company. `distinct`: few others have it; `plain`: short, so that some may; `common`: a word of a language,
 * a person's name or a word of a trade.
 */
export type Specificity = 'distinct' | 'plain' | 'common';

const distinctBits = 3.7;
const plainBits = 2.4;
/** Bits of a word on no list, by its length: 1, 2, 3 letters and so on. */
const bitsOfLength = [0.5, 1, 2, 2.8, 3.7, 4.4, 5];
/** Letters from which several words together are rarely another's name. */
const longLetters = 12;
const vowel = /[aeiouy]/;

/** Specificity of the words of a name. A name of several words identifies better than each of them. */
export function specificityOf(words: readonly string[]): Specificity {
  let bits = 0;
  let counted = 0;
  for (const word of words) {
    const own = bitsOf(word);
    if (own === 0) continue;
    bits += own;
    counted += 1;
  }
  bits += Math.max(0, counted - 1) * 0.8 + (counted > 1 && lettersOf(words) >= longLetters ? 0.8 : 0);
  if (bits >= distinctBits) return 'distinct';
  return bits >= plainBits ? 'plain' : 'common';
}

function lettersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

function bitsOf(word: string): number {
  const kind = kindOf(word);
  if (kind === 'joining') return 0;
  if (kind === 'place' || kind === 'region' || kind === 'corporate' || kind === 'generic' || kind === 'form')
    return 0.6;
  if (isPersonName(word)) return 1.4;
  if (isCommonWord(word)) return 1;
  const bits = bitsOfLength[Math.min(word.length, bitsOfLength.length) - 1] ?? 0;
  if (/\d/.test(word) && /[a-z]/.test(word)) return bits + 1.5;
  return word.length <= 4 && !vowel.test(word) ? bits + 0.5 : bits;
}

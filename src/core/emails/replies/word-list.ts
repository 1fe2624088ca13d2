import { foldText } from '../../companies/fold-text.ts';

/** Says whether words, folded (`foldText`), hold what the list is about. */
export type WordList = (words: string) => boolean;

/** Scripts that set no blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** Patterns over folded words; each matches whole words only. Blanks alone part folded words, which makes that cheap to tell. */
export function words(...alternatives: readonly string[]): WordList {
  const pattern = new RegExp(`(?<![^ ])(?:${alternatives.join('|')})(?![^ ])`);
  return (text) => pattern.test(text);
}

/** Patterns over folded words that match anywhere, for scripts that set no blanks between words. */
export function anywhere(...alternatives: readonly string[]): WordList {
  const pattern = new RegExp(alternatives.join('|'));
  return (text) => pattern.test(text);
}

/** Phrases as people write them. Scripts without blanks between words match anywhere. */
export function phrases(...given: readonly string[]): WordList {
  const folded = given.map(foldText);
  const within = folded.filter((phrase) => unspaced.test(phrase));
  const whole = folded.filter((phrase) => !unspaced.test(phrase));
  const hasWhole = whole.length === 0 ? () => false : words(...whole);
  return (text) => hasWhole(text) || within.some((phrase) => text.includes(phrase));
}

export function either(...lists: readonly WordList[]): WordList {
  return (text) => lists.some((list) => list(text));
}

/** Every beginning with every end. */
export function pairs(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  return beginnings.flatMap((beginning) => ends.map((end) => `${beginning} ${end}`));
}

/** A pattern for any of some phrases, written as people write them and parted by `|`. One that ends in `…` goes on in any letters. */
export function anyOf(given: string): string {
  const patterns = given.split('|').map((phrase) => {
    const folded = foldText(phrase);
    return phrase.trim().endsWith('…') ? `${folded}[^ ]*` : folded;
  });
  return `(?:${patterns.join('|')})`;
}

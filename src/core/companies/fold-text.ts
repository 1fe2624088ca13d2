/** Letters that Unicode does not decompose, and what people type for them. `ß` and `ſ` are case-folding, not spelling. */
const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ſ: 's',
  ς: 'σ',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const roundsMax = 6;
const nonAscii = /[^\0-\x7f]/;
/** Trademark signs, which NFKC would turn into letters (`™` into `TM`), and invisible characters. */
const dropped = /[™℠®©\p{Cf}]/gu;
const apostrophes = /['’‘ʼ`´′]/g;
/** Only accents. The marks of Japanese, Indic and Thai script form other letters and stay. */
const accents = /[\u0300-\u036f]/g;
const undecomposed = new RegExp(`[${Object.keys(foldedLetters).join('')}]`, 'g');
/** A single letter of an alphabet, then a dot or slash, where another single letter follows: `S.A.`, `A. O.`, `A/S`. */
const dottedLetter =
  /(?<![\p{L}\p{N}\p{M}])([a-z\u0370-\u06ff])[./]\s*(?=[a-z\u0370-\u06ff](?![\p{L}\p{N}\p{M}]))/gu;
/** Separators of words, and a quick test that `dottedLetter` may match. */
interface WordRules {
  readonly between: RegExp;
  readonly mayHaveDotted: RegExp;
}

const ascii: WordRules = { between: /[^a-z0-9]+/g, mayHaveDotted: /(?:^|[^a-z0-9])[a-z][./]/ };
/** Words that are folded already. */
const asciiWords = /^[a-z0-9]+(?: [a-z0-9]+)*$/;
const unicode: WordRules = { between: /[^\p{L}\p{N}\p{M}]+/gu, mayHaveDotted: /[./]/ };

/**
 * Folds a text to lower-case words with one space between them, so that spellings of one name become equal.
 *
 * NFKC, case-folded, accents dropped (`ß` becomes `ss`), `&` written as `and` and `+` as `plus`, abbreviations joined
 * (`S.A.R.L.` to `sarl`, `A. O. Smith` to `ao smith`), apostrophes dropped, all other punctuation a space. Folding again
 * changes nothing. Never throws.
 */
export function foldText(text: string): string {
  if (!nonAscii.test(text)) {
    const lower = text.toLowerCase();
    return asciiWords.test(lower) ? lower : splitWords(lower, ascii);
  }
  // Dropping a character can join two that compose, so fold until nothing changes. The bound is for safety.
  let folded = foldOnce(text);
  for (let round = 1; round < roundsMax; round += 1) {
    const next = foldOnce(folded);
    if (next === folded) break;
    folded = next;
  }
  return folded;
}

function foldOnce(text: string): string {
  const composed = text.replace(dropped, '').replace(apostrophes, '').normalize('NFKC').toLowerCase();
  const plain = composed.normalize('NFD').replace(accents, '').normalize('NFKC');
  return splitWords(
    plain.replace(undecomposed, (letter) => foldedLetters[letter] ?? letter),
    unicode,
  );
}

function splitWords(text: string, { between, mayHaveDotted }: WordRules): string {
  const spelt = text.replace(apostrophes, '').replaceAll('&', ' and ').replaceAll('+', ' plus ');
  const joined = mayHaveDotted.test(spelt) ? spelt.replace(dottedLetter, '$1') : spelt;
  return joined.replace(between, ' ').trim();
}

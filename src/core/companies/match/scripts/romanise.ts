import { hanziSounds } from './hanzi-sounds.ts';

/** Matches letters of every script but the Latin one. */
const otherScript = /[\u0370-\u1dff\u2c00-\u{10ffff}]/u;

/** Syllables of Hangul: first consonants, vowels and last consonants in Unicode's order, romanised. */
const hangulFirst = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ');
const hangulVowels = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const hangulLast = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

/** Kana of one sign: rows of hiragana, each with the vowels a, i, u, e, o. Katakana are mapped to them. */
const kanaRows: readonly (readonly [signs: string, sounds: string])[] = [
  ['あいうえお', 'a i u e o'],
  ['かきくけこ', 'ka ki ku ke ko'],
  ['がぎぐげご', 'ga gi gu ge go'],
  ['さしすせそ', 'sa shi su se so'],
  ['ざじずぜぞ', 'za ji zu ze zo'],
  ['たちつてと', 'ta chi tsu te to'],
  ['だぢづでど', 'da ji zu de do'],
  ['なにぬねの', 'na ni nu ne no'],
  ['はひふへほ', 'ha hi fu he ho'],
  ['ばびぶべぼ', 'ba bi bu be bo'],
  ['ぱぴぷぺぽ', 'pa pi pu pe po'],
  ['まみむめも', 'ma mi mu me mo'],
  ['やゆよ', 'ya yu yo'],
  ['らりるれろ', 'ra ri ru re ro'],
  ['わをんゔ', 'wa o n vu'],
];
/** Small kana, which replace the vowel of the sign before them: `ふぁ` is `fa`, `きゃ` is `kya`. */
const smallKana: Readonly<Record<string, string>> = {
  ぁ: 'a',
  ぃ: 'i',
  ぅ: 'u',
  ぇ: 'e',
  ぉ: 'o',
  ゃ: 'ya',
  ゅ: 'yu',
  ょ: 'yo',
};
const kana = new Map(
  kanaRows.flatMap(([signs, sounds]) =>
    [...signs].map((sign, i) => [sign, sounds.split(' ')[i] ?? ''] as const),
  ),
);

const cyrillicLetters = 'абвгґдеєжзиіїйклмнопрстуфхцчшщъыьэюяђјљњћџўё';
const cyrillicSounds =
  'a b v g g d e e zh z i i i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya dj j lj nj c dz u e'.split(
    ' ',
  );
const greekLetters = 'αβγδεζηθικλμνξοπρσςτυφχψω';
const greekSounds = 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'.split(' ');
/** Pairs of Greek letters that write one sound. */
const greekPairs: readonly (readonly [RegExp, string])[] = [
  [/μπ/g, 'b'],
  [/ντ/g, 'd'],
  [/γκ|γγ/g, 'g'],
  [/ου/g, 'u'],
  [/ει|οι|υι/g, 'i'],
  [/αι/g, 'e'],
  [/τζ/g, 'tz'],
];
const letters = new Map([
  ...[...cyrillicLetters].map((letter, i) => [letter, cyrillicSounds[i] ?? ''] as const),
  ...[...greekLetters].map((letter, i) => [letter, greekSounds[i] ?? ''] as const),
]);

/** True if the text has a letter of another script than the Latin one. */
export function isOtherScript(text: string): boolean {
  return otherScript.test(text);
}

/**
 * Writes a folded word (`foldText`) in Latin letters, by sound and without any dictionary: `найк` gives `nayk`, `나이키` gives `naiki`,
 * `アップル` gives `apuru`. Hangul follows the Revised Romanization without its changes of sound, kana Hepburn, Cyrillic and Greek common
 * passport practice. Of Chinese characters only those that write foreign names are known (`hanziSounds`); others stay.
 */
export function romanise(word: string): string {
  let latin = '';
  let text = word;
  for (const [pair, sound] of greekPairs) text = text.replace(pair, sound);
  for (const letter of text) latin = append(latin, letter);
  return latin;
}

function append(latin: string, letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return latin + letter;
  if (code >= 0xac00 && code <= 0xd7a3) return latin + hangul(code - 0xac00);
  if (code >= 0x3040 && code <= 0x30ff) return appendKana(latin, code, letter);
  return latin + (letters.get(letter) ?? hanziSounds.get(letter) ?? letter);
}

function hangul(index: number): string {
  const first = hangulFirst[Math.floor(index / 588)] ?? '';
  const vowel = hangulVowels[Math.floor((index % 588) / 28)] ?? '';
  return first + vowel + (hangulLast[index % 28] ?? '');
}

function appendKana(latin: string, code: number, letter: string): string {
  if (letter === 'ー' || letter === 'ッ' || letter === 'っ') return latin;
  const sign = code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : letter;
  const small = smallKana[sign];
  if (small !== undefined) return latin.replace(/[aiueo]$/, '') + small;
  return latin + (kana.get(sign) ?? letter);
}

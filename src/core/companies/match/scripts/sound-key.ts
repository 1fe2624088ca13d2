const classOf: Readonly<Record<string, string>> = {
  b: 'P',
  p: 'P',
  f: 'P',
  v: 'P',
  c: 'K',
  k: 'K',
  g: 'K',
  q: 'K',
  s: 'S',
  z: 'S',
  j: 'S',
  t: 'T',
  d: 'T',
  l: 'R',
  r: 'R',
  m: 'M',
  n: 'N',
};

/** Spellings of one sound, longest first. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/shch|tsch|sch|tch|sh|ch|zh|cz|sz|ts|tz/g, 's'],
  [/pf|ph/g, 'f'],
  [/cc(?=[eiy])/g, 's'],
  [/ck|qu|kh/g, 'k'],
  [/ng(?![aeiouy])/g, 'n'],
  [/x/g, 'ks'],
  [/c(?=[eiy])/g, 's'],
];
const finalS = /(?<=..)S$/;

/**
 * Keys of Latin words, written together, by their consonants alone, so that a name and its transcription in another script are equal:
 * `google`, `gugeul` and `guuguru` all give `KKR`. Further keys if an `r` before a consonant or at the end of a word may be silent
 * (`MRKR` and `MKR` for `mercari`), and if a `w` may be written as `v`. A final `s` does not count.
 * A word with fewer than two consonants has a key with its vowels.
 */
export function soundKeys(words: readonly string[]): readonly string[] {
  const respelt = words.map(respell);
  const full = consonants(respelt.join(''));
  // So few consonants tell nothing: the vowels have to be equal, too.
  if (full.length < 2)
    return [`=${[...respelt.join('')].map((letter) => classOf[letter] ?? letter).join('')}`];
  const silent = consonants(respelt.map((word) => word.replace(/r(?![aeiouy])/g, '')).join(''));
  const keys = new Set([full, silent, consonants(respelt.map((word) => word.replaceAll('w', 'v')).join(''))]);
  return [...keys];
}

function respell(word: string): string {
  let text = word;
  for (const [spelling, sound] of spellings) text = text.replace(spelling, sound);
  return text;
}

function consonants(text: string): string {
  let key = '';
  let before = '';
  for (const letter of text) {
    const sound = classOf[letter] ?? '';
    if (sound !== '' && sound !== before) key += sound;
    before = sound;
  }
  return key.replace(finalS, '');
}

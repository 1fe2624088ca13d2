import { splitLegalForms } from '../company-name.ts';
import { latinWords } from './scripts/divide-native.ts';
import { soundKeys } from './scripts/sound-key.ts';
import { canonicalWord, formCountriesOf } from './word-kinds.ts';

/** A word of a profiled name. */
export interface NameWord {
  /** Canonical spelling in Latin letters, as `kindOf` takes it. */
  readonly text: string;
  /** Written in another script, so it is compared by sound. */
  readonly sounded: boolean;
}

/** A company name, prepared for comparing. */
export interface NameProfile {
  /** Words without legal forms at either end. Never empty. */
  readonly words: readonly NameWord[];
  /** The words' spellings. */
  readonly texts: readonly string[];
  /** The words written together. */
  readonly compact: string;
  /** Legal forms that were removed, folded, the outermost first. */
  readonly forms: readonly string[];
  /** Countries of the outermost form with few countries; null if there is none. */
  readonly formCountries: ReadonlySet<string> | null;
  readonly hasSounded: boolean;
  /** Words with the legal forms (`spacedWords`). */
  readonly spaced: string;
}

/** Prepares a name for comparing; null without a letter or digit. */
export function profileName(name: string): NameProfile | null {
  const { name: text, forms } = splitLegalForms(name);
  if (text === '') return null;
  const words: NameWord[] = [];
  for (const part of text.split(' ')) {
    for (const { text: latin, sounded } of latinWords(part)) {
      if (latin !== '') words.push({ text: canonicalWord(latin), sounded });
    }
  }
  if (words.length === 0) return null;
  let formCountries: ReadonlySet<string> | null = null;
  for (const form of forms) formCountries ??= formCountriesOf(form);
  const texts = words.map((word) => word.text);
  return {
    words,
    texts,
    compact: texts.join(''),
    forms,
    formCountries,
    hasSounded: words.some(({ sounded }) => sounded),
    spaced: ` ${[...texts, ...forms].join(' ')} `,
  };
}

/** Keys of several words by their sound, written together. */
export function soundKeysOf(words: readonly NameWord[]): readonly string[] {
  return soundKeys(words.map((word) => word.text));
}

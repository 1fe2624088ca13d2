import { addresses } from './addresses.ts';
import { attributes } from './attributes.ts';
import { elements } from './elements.ts';
import { foreignContent } from './foreign-content.ts';
import { otherLanguages } from './other-languages.ts';
import { strangeCharacters } from './strange-characters.ts';

/** A text that would run a script, send a request or add to a page if it were interpreted as markup. */
export interface Vector {
  /** Family of the vector. */
  readonly family: string;
  readonly text: string;
}

/**
 * Attacks of many kinds, without duplicates. All of them would call `alert`, or load `evil.example`. Written for this project
 * from known ways to attack pages (the cheat sheets of OWASP and PortSwigger name the kinds); none is copied.
 */
export const vectors: readonly Vector[] = distinct(
  Object.entries({
    elements,
    attributes,
    addresses,
    foreignContent,
    otherLanguages,
    strangeCharacters,
  }).flatMap(([family, texts]) => texts.map((text) => ({ family, text }))),
);

function distinct(all: readonly Vector[]): readonly Vector[] {
  return [...new Map(all.map((vector) => [vector.text, vector])).values()];
}

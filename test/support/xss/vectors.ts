import { addresses } from './addresses.ts';
import { attributes } from './attributes.ts';
import { elements } from './elements.ts';
import { foreignContent } from './foreign-content.ts';
import { otherLanguages } from './other-languages.ts';
import { strangeCharacters } from './strange-characters.ts';

/** A text that would run a script, fetch something or add to a page, if it were taken for markup somewhere. */
export interface Vector {
  /** Family of the vector. */
  readonly family: string;
  readonly text: string;
}

/**
 * Attacks of many kinds, each text once. All of them would call `alert`, or load `evil.example`. Written for this project from
 * known ways to attack pages (OWASP's and PortSwigger's cheat sheets name the kinds); none is copied.
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

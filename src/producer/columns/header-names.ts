import { companyFields, type CompanyField } from './fields.ts';
import { headerKey, headerWords } from './header-words.ts';
import type { LanguagePhrases } from './language-phrases.ts';
import { otherWords, personHeaders, propertyLabels } from './other-headers.ts';
import { easternPhrases } from './phrases-east.ts';
import { englishPhrases } from './phrases-english.ts';
import { westernPhrases } from './phrases-west.ts';

/** The field that a header names. */
export interface NamedField {
  readonly field: CompanyField;
  /** Order among the headers of a field: 0 is the most telling. */
  readonly rank: number;
  /** The header may mean a person as well: `Name`, `Client`. */
  readonly isBare: boolean;
}

/** Phrases of each kind, in the order of preference. */
const kinds = [
  { kind: 'name', field: 'company_name' },
  { kind: 'company', field: 'company_name' },
  { kind: 'bare', field: 'company_name' },
  { kind: 'domain', field: 'company_domain' },
  { kind: 'site', field: 'company_domain' },
  { kind: 'email', field: 'email' },
] as const satisfies readonly { kind: keyof LanguagePhrases; field: CompanyField }[];

/** All headers that are known, with their language. Exported for its test. */
export const headerPhrases: readonly {
  readonly text: string;
  readonly field: CompanyField;
  readonly isBare: boolean;
}[] = kinds.flatMap(({ kind, field }) =>
  [englishPhrases, ...westernPhrases, ...easternPhrases].flatMap((language) =>
    split(language[kind]).map((text) => ({ text, field, isBare: kind === 'bare' })),
  ),
);

const named = new Map<string, NamedField>();
headerPhrases.forEach(({ text, field, isBare }, rank) => {
  const key = headerKey(text);
  if (!named.has(key)) named.set(key, { field, rank, isBare });
});

/** Headers of one word: they hint at a field where other words stand beside them. */
const hints: ReadonlyMap<string, CompanyField> = new Map(
  headerPhrases.flatMap(({ text, field, isBare }) => {
    const words = headerWords(text);
    return isBare || words.includes(' ') ? [] : [[words, field] as const];
  }),
);

const persons = new Set(split(personHeaders).map(headerKey));
const others = new Set(`${otherWords} ${propertyLabels}`.split(/\s+/));

/** Words that may stand beside a header without changing the field that it names. */
const modifiers = new Set(
  (
    'actual associated corporate current default full general hq lead legal main new official primary public registered the your value ' +
    'required optional mandatory pflichtfeld pflicht obligatoire obligatorio obbligatorio if any 1 01 customer client ' +
    'offizielle offizieller officiel oficial ufficiale kun kunde kunden en eng english local'
  ).split(' '),
);

/** A header that is named with a modifier is less telling than every one without. */
const modifiedRank = headerPhrases.length;

/**
 * The field that a header names in one of the languages known; null for none.
 *
 * The whole header has to be known: `Company Owner`, `Company LinkedIn URL` and `Firma Ort` name no field. Words such as `primary`, `official`
 * or a number may stand beside it, brackets may repeat it, and two languages may stand beside each other: `Firma / Company`.
 */
export function findNamedField(header: string): NamedField | null {
  const exact = named.get(headerKey(header));
  if (exact !== undefined) return exact;
  return findAlternatives(header) ?? findModified(header);
}

/** `Website / URL`, `Firma (Company)`: all parts name one field. */
function findAlternatives(header: string): NamedField | null {
  const parts = header.split(/[/|()[\]]|\s[-–:]\s/).filter((part) => headerKey(part) !== '');
  if (parts.length < 2) return null;
  const fields = parts.filter((part) => !isModifier(part)).map(findPart);
  const [first] = fields;
  if (first === undefined || first === null) return null;
  return fields.every((other) => other?.field === first.field) ? first : null;
}

function findPart(part: string): NamedField | null {
  return named.get(headerKey(part)) ?? findModified(part);
}

function isModifier(part: string): boolean {
  return headerWords(part)
    .split(' ')
    .every((word) => modifiers.has(word));
}

function findModified(header: string): NamedField | null {
  const words = headerWords(header.replace(/(\p{L})(\d)$/u, '$1 $2')).split(' ');
  const kept = words.filter((word) => !modifiers.has(word) && !/^\d$/.test(word));
  if (kept.length === words.length) return null;
  const found = named.get(kept.join(''));
  // `Lead name`, `Name 2`: a person, as likely as not.
  if (found === undefined || found.isBare) return null;
  const number = Number(words.find((word) => /^\d$/.test(word)) ?? 0);
  return { ...found, rank: modifiedRank * (1 + number) + found.rank };
}

/** The meaning of a header that names no field. */
export type HeaderSense =
  /** A part of a person's name, or a property that persons have. */
  | { readonly kind: 'person' }
  /** Words that hint at a field beside others that are not known: `Competitor website`. */
  | { readonly kind: 'hint'; readonly field: CompanyField }
  /** Words for something that is no field: `LinkedIn`, `Logo`, `Owner`. */
  | { readonly kind: 'other' }
  /** Nothing known: the values decide. */
  | { readonly kind: 'open' };

export function senseOfHeader(header: string): HeaderSense {
  if (persons.has(headerKey(header))) return { kind: 'person' };
  const words = headerWords(header).split(' ');
  if (words.some((word) => others.has(word))) return { kind: 'other' };
  for (const field of companyFields) {
    if (words.some((word) => hints.get(word) === field)) return { kind: 'hint', field };
  }
  return { kind: 'open' };
}

function split(texts: string): readonly string[] {
  return texts
    .split('|')
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

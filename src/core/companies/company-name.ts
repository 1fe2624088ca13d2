import { foldText } from './fold-text.ts';
import { legalForms } from './legal-forms.ts';
import type { LegalForm } from './legal-forms.ts';
import { createMemo } from '../memo.ts';

/** Maximum length of a company name, in UTF-16 units, before and after normalizing: keys must fit a Postgres index entry. */
export const nameCharsMax = 500;

/** Share classes as lists of securities write them: `Alphabet Inc. (Class A)`. */
const shareClass = /\(\s*(?:class|series|cl\.?)\s+[a-z]\s*\)/gi;
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };
const umlaut = /[äöüÄÖÜ]/g;
/** First character of the scripts that write words without spaces. In other scripts a form is always a separate word. */
const unspacedScripts = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Minimum length of the remaining name, in UTF-16 units; if less remains, the legal form belongs to the name. */
const nameCharsMin = 2;

const trailing = tableOf(['trailing', 'both']);
const leading = tableOf(['leading', 'both']);

/**
 * The form of a company name that all spellings share: `Nike, Inc.` and `NIKE` both give `nike`.
 *
 * The text is folded (see `foldText`). Then legal forms are removed from the end, and from the front if custom puts them there,
 * until none is left; so are share classes in parentheses and the article `the`, at the front or as a trailing `(The)`. A step
 * that would leave fewer than two characters is skipped. Idempotent; never throws; '' without a letter or digit. Different
 * companies may share a name (`Merck & Co.`, `Merck KGaA`): an equal name is a match, not an identity.
 */
export function normaliseName(name: string): string {
  return splitLegalForms(name).name;
}

/** A normalised name and the legal forms that were removed from it, folded, in the order of removal: the outermost first. */
export interface SplitName {
  readonly name: string;
  readonly forms: readonly string[];
}

/** Normalises a name as `normaliseName` does, and keeps what it removes: `Nike, Inc.` gives `nike` and `inc`. */
export function splitLegalForms(name: string): SplitName {
  return splitNames.get(name, splitForms);
}

/** The last names: one search needs its company's name for keys, for words and for its evaluation. */
const splitNames = createMemo<string, SplitName>(2000);

function splitForms(name: string): SplitName {
  const folded = foldText(name.includes('(') ? name.replace(shareClass, ' ') : name);
  const forms: string[] = [];
  let rest = folded;
  for (let next = stripOnce(rest); next !== rest; next = stripOnce(rest)) {
    forms.push(
      next.length < rest.length && rest.startsWith(next)
        ? rest.slice(next.length).trim()
        : rest.slice(0, rest.length - next.length).trim(),
    );
    rest = next;
  }
  return { name: rest, forms };
}

/**
 * The second key of a name with German umlauts, as written without them: `Müller GmbH` gives `mueller` (and `normaliseName`
 * gives `muller`). Null if it would not differ.
 */
export function germanName(name: string): string | null {
  const composed = name.normalize('NFC');
  if (composed.search(umlaut) === -1) return null;
  const german = normaliseName(composed.replace(umlaut, (letter) => umlauts[letter] ?? letter));
  return german === normaliseName(name) ? null : german;
}

/** The normalised name without spaces, as a domain label would hold it: `Coca-Cola Company (The)` gives `cocacola`. */
export function compactName(name: string): string {
  return normaliseName(name).replaceAll(' ', '');
}

/** The forms of one side, by their folded words, indexed so that few of them need to be compared. */
interface FormTable {
  readonly spellings: ReadonlySet<string>;
  /** The word of each spelling at the end in question. */
  readonly outerWords: ReadonlySet<string>;
  readonly wordsMax: number;
  /** Spellings of scripts without spaces, longest first. */
  readonly attached: readonly string[];
}

function tableOf(positions: readonly LegalForm['position'][]): FormTable {
  const spellings = new Set(['the']);
  for (const form of legalForms) {
    if (positions.includes(form.position))
      form.spellings.forEach((spelling) => spellings.add(foldText(spelling)));
  }
  const words = [...spellings].map((spelling) => spelling.split(' '));
  const outer = positions.includes('leading') ? 0 : -1;
  return {
    spellings,
    outerWords: new Set(words.flatMap((each) => each.at(outer) ?? [])),
    wordsMax: Math.max(...words.map((each) => each.length)),
    attached: [...spellings]
      .filter((spelling) => spelling.length > 1 && unspacedScripts.test(spelling) && !spelling.includes(' '))
      .sort((a, b) => b.length - a.length),
  };
}

function stripOnce(text: string): string {
  return longEnough(stripTrailing(text)) ?? longEnough(stripLeading(text)) ?? text;
}

function longEnough(rest: string | null): string | null {
  return rest !== null && rest.length >= nameCharsMin ? rest : null;
}

function stripTrailing(text: string): string | null {
  const last = text.slice(text.lastIndexOf(' ') + 1);
  if (trailing.outerWords.has(last)) {
    const cut = trailingCuts(text).findLast((at) => trailing.spellings.has(text.slice(at + 1)));
    if (cut !== undefined) return text.slice(0, cut);
  }
  if (!unspacedScripts.test(last)) return null;
  const form = trailing.attached.find((each) => last.endsWith(each) && last !== each);
  return form === undefined ? null : text.slice(0, -form.length);
}

function stripLeading(text: string): string | null {
  const space = text.indexOf(' ');
  const first = space === -1 ? text : text.slice(0, space);
  if (leading.outerWords.has(first)) {
    const cut = leadingCuts(text).findLast((at) => leading.spellings.has(text.slice(0, at)));
    if (cut !== undefined) return text.slice(cut + 1);
  }
  if (!unspacedScripts.test(first)) return null;
  const form = leading.attached.find((each) => first.startsWith(each) && first !== each);
  return form === undefined ? null : text.slice(form.length);
}

/** Positions at which a legal form of one word, two words and so on could start at the end of the text: the spaces before it. */
function trailingCuts(text: string): number[] {
  const cuts: number[] = [];
  for (
    let at = text.lastIndexOf(' ');
    at > 0 && cuts.length < trailing.wordsMax;
    at = text.lastIndexOf(' ', at - 1)
  ) {
    cuts.push(at);
  }
  return cuts;
}

/** Positions at which a legal form of one word, two words and so on could end at the start of the text: the spaces after it. */
function leadingCuts(text: string): number[] {
  const cuts: number[] = [];
  for (
    let at = text.indexOf(' ');
    at !== -1 && cuts.length < leading.wordsMax;
    at = text.indexOf(' ', at + 1)
  ) {
    cuts.push(at);
  }
  return cuts;
}

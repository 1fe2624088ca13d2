import { registrableLabel } from './domain.ts';
import { nameKeys } from './name-keys.ts';

/** Words that companies add to their name in a domain when the name alone is taken. Our list; it excludes words that name a trade. */
const affixes = {
  before: ['get', 'go', 'hello', 'join', 'meet', 'my', 'the', 'try', 'use', 'we', 'with'],
  behind:
    'app co company corp de eu global group gruppe hq inc international official online uk usa world'.split(
      ' ',
    ),
} as const;

/** Shorter words identify no company: two may well share one. */
const beginningCharsMin = 3;

/**
 * True when a name and a registrable domain can belong to one company. Our choice; legal forms and spelling aside, one of these
 * is enough:
 *
 * - consecutive words of the name are the label of the domain (`bosch.de` for "Robert Bosch GmbH", `coca-cola.com` for "Coca
 *   Cola Hellenic"), or their initials are (`ibm.com` for "International Business Machines");
 * - both begin with the same word (`acme-group.com` for "Acme Software GmbH");
 * - the label is the whole name with a generic affix (`getacme.com`, `acmehq.com`).
 *
 * A domain takes precedence over a name, so a name that does not fit the domain beside it says nothing: "PUMA SE" beside
 * `nike.com`.
 */
export function nameFitsDomain(name: string, domain: string): boolean {
  const labels = nameKeys(registrableLabel(domain).replaceAll('-', ' ')).map(splitWords);
  const compact = new Set(labels.map((words) => words.join('')));
  const beginnings = new Set(labels.flatMap(beginningsOf));
  return nameKeys(name)
    .map(splitWords)
    .some(
      (words) =>
        compact.has(initialsOf(words)) ||
        words.some((_, i) => beginsWithOne(words.slice(i), compact)) ||
        beginningsOf(words).some((text) => text.length >= beginningCharsMin && beginnings.has(text)) ||
        withAffixes(words.join('')).some((text) => compact.has(text)),
    );
}

function splitWords(key: string): readonly string[] {
  return key.split(' ');
}

/** Initials of two words or more. One word has none, because every name would then fit a domain of one letter. */
function initialsOf(words: readonly string[]): string {
  return words.length < 2 ? '' : words.map((word) => [...word][0] ?? '').join('');
}

function withAffixes(name: string): readonly string[] {
  return [...affixes.before.map((affix) => affix + name), ...affixes.behind.map((affix) => name + affix)];
}

/** Maximum length of a DNS label, in characters (RFC 1035 §2.3.4). */
const labelCharsMax = 63;

/** The first word, the first two written together, and so on, up to the length of a label. */
function beginningsOf(words: readonly string[]): readonly string[] {
  const beginnings: string[] = [];
  let together = '';
  for (const word of words) {
    together += word;
    if (together.length > labelCharsMax) break;
    beginnings.push(together);
  }
  return beginnings;
}

function beginsWithOne(words: readonly string[], labels: ReadonlySet<string>): boolean {
  return beginningsOf(words).some((text) => labels.has(text));
}

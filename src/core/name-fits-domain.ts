import { registrableLabel } from './domain.ts';
import { compactKeys, nameKeys } from './name-keys.ts';

/**
 * Whether a name and a registrable domain can be those of one company: words of the name that follow each other, written together, are
 * the label of the domain (`bosch.de` for "Robert Bosch GmbH", `coca-cola.com` for "Coca Cola Hellenic"), or their first letters
 * are (`ibm.com` for "International Business Machines"). Our choice. A domain decides before a name, so that a name that does not fit
 * the domain beside it tells nothing: "PUMA SE" beside `nike.com`.
 */
export function nameFitsDomain(name: string, domain: string): boolean {
  const labels = new Set(compactKeys(registrableLabel(domain)));
  return nameKeys(name).some((key) => {
    const words = key.split(' ');
    return labels.has(initialsOf(words)) || words.some((_, i) => beginsWithOne(words.slice(i), labels));
  });
}

/** Of one word there are none: every name would fit a domain of one letter. */
function initialsOf(words: readonly string[]): string {
  return words.length < 2 ? '' : words.map((word) => [...word][0] ?? '').join('');
}

/** The longest label that DNS can carry, in characters (RFC 1035 section 2.3.4). */
const labelCharsMax = 63;

/** The first word, the first two written together, and so on. */
function beginsWithOne(words: readonly string[], labels: ReadonlySet<string>): boolean {
  let together = '';
  for (const word of words) {
    together += word;
    if (labels.has(together)) return true;
    if (together.length > labelCharsMax) return false;
  }
  return false;
}

import { initialsOf, sortedWords, type CompanyProfile, type Identity } from './company-profile.ts';
import { soundKeysOf, type NameProfile } from './name-profile.ts';
import { kindOf } from './word-kinds.ts';

/** Place of a company's identity in the name of an advertiser. */
export interface Alignment {
  readonly identity: Identity;
  /**
   * `written`: the same letters; `sounded`: the same consonants in another script; `spelled_out`: the advertiser's words begin with
   * the letters of the company's initials; `reordered`: the same words in another order.
   */
  readonly how: 'written' | 'sounded' | 'spelled_out' | 'reordered';
  /** The advertiser's words before and after it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** `and` between the words of the run, which the identity leaves out. */
  readonly hasAmpersand: boolean;
}

/** Letters of a glued word's beginning, at least: `googleireland`. */
const gluedCharsMin = 4;
/** Letters of an identity from which any glued word is taken for it and another word: `mediamarktsaturn`. */
const longCharsMin = 8;
const isNumber = /^\d+$/;
const spelledCharsMin = 3;

/** Letters of an identity from which a difference of one letter is seen as a likeness. */
const similarCharsMin = 4;

/** True if a word of the advertiser differs from an identity by one letter, or by a few more at its end. */
export function isSimilar(company: CompanyProfile, advertiser: NameProfile): boolean {
  return company.identities.some(
    ({ compact, kind }) =>
      !isOfFamily(kind) &&
      compact.length >= similarCharsMin &&
      [...advertiser.texts, advertiser.compact].some(
        (text) =>
          (text.startsWith(compact) && text.length <= compact.length + 3) ||
          (compact.length > similarCharsMin && differByOne(text, compact)),
      ),
  );
}

function isOfFamily(kind: Identity['kind']): boolean {
  return kind === 'member' || kind === 'parent';
}

function differByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}

/** Finds every identity of the company in the advertiser's name, each once. */
export function alignmentsOf(company: CompanyProfile, advertiser: NameProfile): readonly Alignment[] {
  const { texts } = advertiser;
  const found: Alignment[] = [];
  if (company.sorted !== null && company.name?.compact !== advertiser.compact) {
    const [identity] = company.identities;
    if (identity !== undefined && sortedWords(advertiser.words) === company.sorted)
      found.push({ identity, how: 'reordered', before: [], after: [], hasAmpersand: false });
  }
  const hasSounded = advertiser.hasSounded || company.name?.hasSounded === true;
  for (const identity of company.identities) {
    // A family has many names, and few advertisers have one of them.
    if (isOfFamily(identity.kind) && !hasSounded && !advertiser.compact.includes(identity.compact)) continue;
    const written = writtenRun(identity, advertiser);
    if (written !== null) found.push(written);
    else {
      const other =
        (isOfFamily(identity.kind) ? null : spelledOut(identity, texts, advertiser.forms)) ??
        (hasSounded ? soundedRun(identity, advertiser) : null);
      if (other !== null) found.push(other);
    }
  }
  return found;
}

function alignment(
  identity: Identity,
  how: Alignment['how'],
  texts: readonly string[],
  [start, end]: readonly [number, number],
): Alignment {
  const before = texts.slice(0, start);
  return {
    identity,
    how,
    before: before.at(-1) === 'dba' ? [] : before,
    after: texts.slice(end),
    hasAmpersand: texts.slice(start, end).includes('and') && !identity.compact.includes('and'),
  };
}

/** Consecutive words that are the identity when written together, or one that begins with it and ends with a word of a known kind. */
function writtenRun(identity: Identity, { words, texts }: NameProfile): Alignment | null {
  const { compact } = identity;
  for (let start = 0; start < texts.length; start += 1) {
    let together = '';
    for (let end = start; end < texts.length; end += 1) {
      const word = texts[end] ?? '';
      if (word === 'and' && end > start && !compact.startsWith(`${together}and`)) continue;
      together += word;
      if (together === compact)
        return withoutRepetition(alignment(identity, 'written', texts, [start, end + 1]), words);
      if (!compact.startsWith(together)) break;
    }
  }
  if (compact.length < gluedCharsMin) return null;
  const isLong = compact.length >= longCharsMin;
  const glued = texts.findIndex(
    (text) => text.startsWith(compact) && isEnding(text.slice(compact.length), isLong),
  );
  if (glued === -1) return null;
  const ending = (texts[glued] ?? '').slice(compact.length);
  return {
    identity,
    how: 'written',
    before: texts.slice(0, glued),
    after: [...(ending === 's' || isNumber.test(ending) ? [] : [ending]), ...texts.slice(glued + 1)],
    hasAmpersand: false,
  };
}

/** Leaves out words of another script beside a name in Latin letters: they repeat it. */
function withoutRepetition(found: Alignment, words: NameProfile['words']): Alignment {
  const end = words.length - found.after.length;
  if (words.slice(found.before.length, end).some(({ sounded }) => sounded)) return found;
  const isLatin = (at: number): boolean => words[at]?.sounded !== true;
  return {
    ...found,
    before: found.before.filter((_, i) => isLatin(i)),
    after: found.after.filter((_, i) => isLatin(end + i)),
  };
}

function isEnding(ending: string, isLong: boolean): boolean {
  if (isLong && ending.length >= gluedCharsMin) return true;
  if (ending === 's' || isNumber.test(ending)) return true;
  return (
    ending.length > 2 &&
    kindOf(ending) !== 'other' &&
    kindOf(ending) !== 'common' &&
    kindOf(ending) !== 'person'
  );
}

/** `Bayerische Motoren Werke` for `bmw`. */
function spelledOut(
  identity: Identity,
  texts: readonly string[],
  forms: readonly string[],
): Alignment | null {
  const { compact, kind } = identity;
  const { length } = compact;
  if (length < spelledCharsMin || kind === 'acronym') return null;
  // `Banking Corporation`: the legal form may be one of the words.
  const [form = ''] = forms;
  const counted = [...texts, ...form.split(' ')].filter((text) => text !== '' && kindOf(text) !== 'joining');
  if (counted.length < length || initialsOf(counted.slice(0, length)) !== compact) return null;
  return { identity, how: 'spelled_out', before: [], after: counted.slice(length), hasAmpersand: false };
}

function soundedRun(identity: Identity, advertiser: NameProfile): Alignment | null {
  const keys = identity.sounds();
  const run = soundedRunsOf(advertiser).find((each) => each.keys.some((key) => keys.includes(key)));
  return run === undefined ? null : alignment(identity, 'sounded', advertiser.texts, [run.start, run.end]);
}

interface SoundedRun {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
}

const soundedRuns = new WeakMap<NameProfile, readonly SoundedRun[]>();

/** Runs of words that name no place, with their keys; the first and longest ones first. Made once for each name. */
function soundedRunsOf(name: NameProfile): readonly SoundedRun[] {
  const known = soundedRuns.get(name);
  if (known !== undefined) return known;
  const found: SoundedRun[] = [];
  for (let start = 0; start < name.texts.length; start += 1) {
    for (let end = name.texts.length; end > start; end -= 1) {
      const run = name.words.slice(start, end);
      if (!run.some(({ text }) => isPlace(text))) found.push({ start, end, keys: soundKeysOf(run) });
    }
  }
  soundedRuns.set(name, found);
  return found;
}

function isPlace(text: string): boolean {
  const kind = kindOf(text);
  return kind === 'place' || kind === 'region';
}

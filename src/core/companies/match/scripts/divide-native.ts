import { letterNames, nativeWords } from './native-words.ts';
import { isOtherScript, romanise } from './romanise.ts';

/** A word in Latin letters. `sounded`: written by sound from another script, so it is compared by sound. */
export interface LatinWord {
  readonly text: string;
  readonly sounded: boolean;
}

const nativeCharsMax = Math.max(...[...nativeWords.keys()].map((word) => word.length));
const letterCharsMax = Math.max(...[...letterNames.keys()].map((word) => word.length));

/** Divides a folded word of any script into Latin words: `나이키코리아` gives `naiki`, by sound, and `korea`. */
export function latinWords(word: string): readonly LatinWord[] {
  if (!isOtherScript(word)) return [{ text: word, sounded: false }];
  const words: LatinWord[] = [];
  let open = '';
  for (let at = 0; at < word.length;) {
    const native = longestAt(word, at);
    if (native === null) {
      open += word.charAt(at);
      at += 1;
      continue;
    }
    if (open !== '') words.push(bySound(open));
    open = '';
    words.push({ text: nativeWords.get(native) ?? '', sounded: false });
    at += native.length;
  }
  if (open !== '') words.push(bySound(open));
  return words;
}

/** The sound of a word, or the initials that it spells. */
function bySound(word: string): LatinWord {
  const initials = spelledInitials(word);
  return initials === null ? { text: romanise(word), sounded: true } : { text: initials, sounded: false };
}

function longestAt(word: string, at: number): string | null {
  for (let length = Math.min(nativeCharsMax, word.length - at); length > 1; length -= 1) {
    const part = word.slice(at, at + length);
    if (nativeWords.has(part)) return part;
  }
  return null;
}

/** Initials that are spelled by the names of their letters, two or more; null for anything else. */
function spelledInitials(word: string): string | null {
  let initials = '';
  for (let at = 0; at < word.length;) {
    const name = letterNameAt(word, at);
    if (name === null) return null;
    initials += letterNames.get(name) ?? '';
    at += name.length;
  }
  return initials.length < 2 ? null : initials;
}

function letterNameAt(word: string, at: number): string | null {
  for (let length = Math.min(letterCharsMax, word.length - at); length > 0; length -= 1) {
    const part = word.slice(at, at + length);
    if (letterNames.has(part)) return part;
  }
  return null;
}

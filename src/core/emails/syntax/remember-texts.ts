/** Bounds of a cache of texts. */
export interface MemoryBounds {
  /** The most texts in the cache; one more clears it. */
  readonly textsMax: number;
  /** UTF-16 units of the longest text in the cache. */
  readonly charsMax: number;
}

/**
 * Memoises a function of a text: from its second occurrence on, a repeated text returns the same object. Most texts of a long list may occur
 * once, and storing a text costs more than many computations. The cache holds copies, so it keeps neither the caller's text in memory nor the
 * longer text that it was cut from.
 */
export function rememberTexts<Result extends object>(
  work: (text: string) => Result,
  { textsMax, charsMax }: MemoryBounds,
): (text: string) => Result {
  const known = new Map<string, Result>();
  const isRepeated = createRepetitions();

  function compute(text: string): Result {
    const copy = text.length <= charsMax && isRepeated(text) ? copyOf(text) : null;
    // The copy loses lone surrogates.
    if (copy !== text) return work(text);
    const result = work(copy);
    if (known.size === textsMax) known.clear();
    known.set(copy, result);
    return result;
  }

  return (text) => known.get(text) ?? compute(text);
}

const placesMax = 32_768;
/** Characters of a text that its hash takes. */
const hashedChars = 8;

/** Finds texts that occur again soon. A text may be mistaken for one with the same length and beginning. */
function createRepetitions(): (text: string) => boolean {
  const hashes = new Int32Array(placesMax);
  return (text) => {
    const hash = hashOf(text);
    const place = (hash ^ (hash >>> 15)) & (placesMax - 1);
    const isRepeated = hashes[place] === hash;
    hashes[place] = hash;
    return isRepeated;
  };
}

function hashOf(text: string): number {
  const end = Math.min(text.length, hashedChars);
  let hash = text.length + 1;
  for (let at = 0; at < end; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** Copies a text: V8 keeps a text in memory while a substring of it exists. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Bounds of a cache of texts. */
export interface MemoryBounds {
  /** The most texts in the cache; one more clears it. */
  readonly textsMax: number;
  /** UTF-16 units of the longest text in the cache. */
  readonly charsMax: number;
}

/**
 * Memoises a function of a text: a repeated text returns the same object. The cache holds copies, so it keeps neither the caller's text in
 * memory nor the longer text that it was cut from.
 */
export function rememberTexts<Result extends object>(
  work: (text: string) => Result,
  { textsMax, charsMax }: MemoryBounds,
): (text: string) => Result {
  const known = new Map<string, Result>();

  function remember(text: string): Result {
    const copy = text.length > charsMax ? null : copyOf(text);
    // The copy loses lone surrogates.
    if (copy !== text) return work(text);
    const result = work(copy);
    if (known.size === textsMax) known.clear();
    known.set(copy, result);
    return result;
  }

  return (text) => known.get(text) ?? remember(text);
}

/** Copies a text: V8 keeps a text in memory while a substring of it exists. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Bounds of a memory. */
export interface MemoryBounds {
  /** The most texts that are remembered; when there are more, all are forgotten. */
  readonly textsMax: number;
  /** UTF-16 units of the longest text that is remembered. */
  readonly charsMax: number;
}

/**
 * Puts a memory in front of a function that needs nothing but its text: a text that comes again is not worked out again, and gives the
 * very same object. The caller's text is not kept, nor what it was cut out of.
 */
export function rememberTexts<Result extends object>(
  work: (text: string) => Result,
  { textsMax, charsMax }: MemoryBounds,
): (text: string) => Result {
  const known = new Map<string, Result>();

  function remember(text: string): Result {
    const copy = text.length > charsMax ? null : copyOf(text);
    // Half a character is lost on the way.
    if (copy !== text) return work(text);
    const result = work(copy);
    if (known.size === textsMax) known.clear();
    known.set(copy, result);
    return result;
  }

  return (text) => known.get(text) ?? remember(text);
}

/** The same text in one piece and in memory of its own: V8 keeps a text alive for as long as there is one that was cut out of it. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

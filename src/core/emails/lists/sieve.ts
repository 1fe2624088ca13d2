/** Excludes nearly all texts that are not in a list, without reading the list. */
export interface Sieve {
  /**
   * False for a text that is not in the list; true for all that are, and for a few others.
   *
   * @param length UTF-16 units of the text to find, at the beginning of the given one; all of it by default
   */
  mayHave(text: string, length?: number): boolean;
}

/** Bits for each text of a list, at least: about one in sixteen others passes. */
const bitsPerText = 16;

/**
 * Makes the sieve of a list: a set of bits that stays in the processor's cache, by the length and four characters of a text. Most texts that
 * are looked up are in no list, and a `Map` of thousands of texts reads memory all over the place to find that out.
 */
export function createSieve(list: Iterable<string>): Sieve {
  const texts = [...list];
  // The next power of two.
  const size = 1 << (32 - Math.clz32((texts.length + 1) * bitsPerText - 1));
  const bits = new Uint8Array(size / 8);
  const placeOf = (text: string, length: number) => hashOf(text, length) & (size - 1);
  for (const text of texts) {
    const place = placeOf(text, text.length);
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return {
    mayHave(text, length = text.length) {
      const place = placeOf(text, length);
      return ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
    },
  };
}

/** Hashes the length, the first three characters and the one in the middle. Units after the text do not count, nor those that are missing. */
function hashOf(text: string, length: number): number {
  if (length < hashedChars) return length;
  let hash = Math.imul(length, 31) + text.charCodeAt(0);
  hash = Math.imul(hash, 31) + text.charCodeAt(1);
  hash = Math.imul(hash, 31) + text.charCodeAt(2);
  hash = Math.imul(hash, 31) + text.charCodeAt(length >> 1);
  hash = Math.imul(hash, spread);
  return hash ^ (hash >>> 15);
}

const hashedChars = 3;
/** A multiplier whose product has all bits of its factor in the high ones (Knuth, The Art of Computer Programming, 6.4). */
const spread = 0x9e3779b1;

import { hash, randomFillSync } from 'node:crypto';

/** Longest text that has coefficients; a longer one is hashed by its SHA-256. */
const charsMax = 1024;
/** Sums of a hash. The upper half of each is a part of the hash. */
const sums = 6;

/**
 * Creates a hash of texts to 96 bits, in the first three words of its target: six sums of products of the characters with random
 * coefficients, of each of which the upper 16 bits count. Any two texts have the same hash with a chance of 2^-96, whatever they are: each
 * such sum is strongly universal (Lemire and Kaser, "Strongly universal string hashing is fast", 2014).
 */
export function createKeyHash(): (text: string, target: Int32Array) => void {
  const coefficients = randomFillSync(new Int32Array((charsMax + 2) * sums));

  return (text, target) => {
    const short = text.length <= charsMax ? text : hash('sha256', text, 'hex');
    const length = short.length;
    // The length is a character as well: texts of different lengths differ.
    let at = sums;
    let a = (coefficients[0] ?? 0) + Math.imul(length, coefficients[at] ?? 0);
    let b = (coefficients[1] ?? 0) + Math.imul(length, coefficients[at + 1] ?? 0);
    let c = (coefficients[2] ?? 0) + Math.imul(length, coefficients[at + 2] ?? 0);
    let d = (coefficients[3] ?? 0) + Math.imul(length, coefficients[at + 3] ?? 0);
    let e = (coefficients[4] ?? 0) + Math.imul(length, coefficients[at + 4] ?? 0);
    let f = (coefficients[5] ?? 0) + Math.imul(length, coefficients[at + 5] ?? 0);
    for (let index = 0; index < length; index += 1) {
      at += sums;
      const code = short.charCodeAt(index);
      a = (a + Math.imul(code, coefficients[at] ?? 0)) | 0;
      b = (b + Math.imul(code, coefficients[at + 1] ?? 0)) | 0;
      c = (c + Math.imul(code, coefficients[at + 2] ?? 0)) | 0;
      d = (d + Math.imul(code, coefficients[at + 3] ?? 0)) | 0;
      e = (e + Math.imul(code, coefficients[at + 4] ?? 0)) | 0;
      f = (f + Math.imul(code, coefficients[at + 5] ?? 0)) | 0;
    }
    target[0] = (a & 0xffff0000) | (b >>> 16);
    target[1] = (c & 0xffff0000) | (d >>> 16);
    target[2] = (e & 0xffff0000) | (f >>> 16);
  };
}

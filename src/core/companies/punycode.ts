/** The parameters of Punycode (RFC 3492 §5). */
const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCodePoint = 128;
const digits = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Decodes the part of a domain label after `xn--` into Unicode (RFC 3492 §6.2): `mnchen-3ya` gives `münchen`.
 *
 * Null if it is not Punycode. Implemented here because the platform decodes it only in a Node module, and src/core imports
 * none.
 */
export function decodePunycode(text: string): string | null {
  const dash = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(dash, 0)), (letter) => letter.charCodeAt(0));
  let codePoint = initialCodePoint;
  let bias = initialBias;
  let index = 0;
  for (let at = dash + 1; at < text.length;) {
    const indexBefore = index;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === null) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, tMin), tMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    bias = adapt(index - indexBefore, output.length + 1, indexBefore === 0);
    codePoint += Math.floor(index / (output.length + 1));
    index %= output.length + 1;
    if (codePoint > 0x10ffff) return null;
    output.splice(index++, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

/** Encodes the part of a domain label after `xn--` (RFC 3492 §6.3): `münchen` gives `mnchen-3ya`. */
export function encodePunycode(label: string): string {
  const codePoints = Array.from(label, (letter) => letter.codePointAt(0) ?? 0);
  const basic = codePoints.filter((code) => code < initialCodePoint);
  let output = basic.length === 0 ? '' : `${String.fromCharCode(...basic)}-`;
  let codePoint = initialCodePoint;
  let bias = initialBias;
  let delta = 0;
  for (let done = basic.length; done < codePoints.length;) {
    const next = Math.min(...codePoints.filter((code) => code >= codePoint));
    delta += (next - codePoint) * (done + 1);
    for (const code of codePoints) {
      if (code < next) delta += 1;
      if (code !== next) continue;
      output += encodeNumber(delta, bias);
      bias = adapt(delta, done + 1, done === basic.length);
      delta = 0;
      done += 1;
    }
    codePoint = next + 1;
    delta += 1;
  }
  return output;
}

/** A number as digits of variable length (RFC 3492 §3.3). */
function encodeNumber(number: number, bias: number): string {
  let output = '';
  let rest = number;
  for (let k = base; ; k += base) {
    const threshold = Math.min(Math.max(k - bias, tMin), tMax);
    if (rest < threshold) return output + digitFor(rest);
    const weight = base - threshold;
    output += digitFor(threshold + ((rest - threshold) % weight));
    rest = Math.floor((rest - threshold) / weight);
  }
}

function digitFor(value: number): string {
  return digits.charAt(value);
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = first ? Math.floor(delta / damp) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) >> 1) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}

/** The value of a Punycode digit, `a` to `z` then `0` to `9`; null for anything else, the end of the text included. */
function digitOf(code: number): number | null {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 48 && code <= 57) return code - 48 + 26;
  return null;
}

import { withoutSecrets } from '../../core/sources/without-secrets.ts';
import { parseLeniently } from './parse-leniently.ts';

/** Maximum length of a quoted message, in characters. */
const charsMax = 200;

/** Keys of vendors' messages, the most specific first; nested keys from the outside in. */
const places: readonly (readonly string[])[] = [
  ['error', 'message'],
  ['error_message'],
  ['error_description'],
  ['errors', '0', 'message'],
  ['errors', '0', 'detail'],
  ['errors', '0', 'title'],
  ['errors', '0'],
  ['tasks', '0', 'status_message'],
  ['status_message'],
  ['detail'],
  ['message'],
  ['error'],
  ['title'],
];

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/**
 * Extracts a vendor's error message from an answer, on one line and with at most 200 characters. Untrusted text: `secrets`, and
 * those in links, are masked, also in the forms that URLs and headers use.
 */
export function vendorMessage(text: string, secrets: readonly string[]): string | null {
  const message = wordsIn(text);
  if (message === null) return null;
  const words = masked(withoutSecrets(message), secrets).replace(unseen, ' ').trim();
  if (words === '') return null;
  const characters = [...words];
  return characters.length > charsMax ? `${characters.slice(0, charsMax - 1).join('')}…` : words;
}

function wordsIn(text: string): string | null {
  const value = parseLeniently(text);
  if (value === undefined) return /^\s*</.test(text) ? null : text.slice(0, longTextChars);
  if (typeof value === 'string') return value;
  const found = places.map((place) => textAt(value, place)).find((each) => each !== null);
  return found ?? null;
}

/** Number of characters in which secrets are searched. */
const longTextChars = 4_096;

function textAt(value: unknown, place: readonly string[]): string | null {
  const at = place.reduce<unknown>(
    (inside, key) =>
      typeof inside === 'object' && inside !== null ? new Map(Object.entries(inside)).get(key) : null,
    value,
  );
  return typeof at === 'string' && at.trim() !== '' ? at.slice(0, longTextChars) : null;
}

/** Masks secrets in a text, also in the forms that URLs, headers and JSON use. Longest first: a secret may be a part of another. */
export function masked(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      secret.replaceAll('/', String.raw`\/`),
    ])
    .sort((one, other) => other.length - one.length);
  return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text);
}

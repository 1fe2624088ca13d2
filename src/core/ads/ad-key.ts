import { fullId, shortId } from '../companies/platform-id.ts';

/** Identity of an ad: the ids of its source, or the hash of its text when it has none (docs/architecture/data-model.md). */
export type AdKey =
  | { readonly kind: 'creative'; readonly advertiserId: string; readonly creativeId: string }
  | { readonly kind: 'text'; readonly hash: string };

/** A SHA-256 in hexadecimal digits. */
const hashPattern = /^[0-9a-f]{64}$/;

/**
 * Public id of an ad, safe in a URL: `ad_` and the short forms of both ids, or `adt_` and the hash. It is the same for every account and reveals
 * nothing beyond the ad itself.
 */
export function formatAdKey(key: AdKey): string {
  if (key.kind === 'text') return `adt_${key.hash}`;
  return `ad_${Buffer.from(JSON.stringify([shortId(key.advertiserId), shortId(key.creativeId)])).toString('base64url')}`;
}

/** Parses a public id; null for any other text. Every ad has exactly one spelling. */
export function parseAdKey(text: string): AdKey | null {
  const key = text.startsWith('adt_') ? readHash(text.slice(4)) : readIds(text);
  return key !== null && formatAdKey(key) === text ? key : null;
}

function readHash(hash: string): AdKey | null {
  return hashPattern.test(hash) ? { kind: 'text', hash } : null;
}

function readIds(text: string): AdKey | null {
  if (!text.startsWith('ad_')) return null;
  const ids = readJson(Buffer.from(text.slice(3), 'base64url').toString());
  if (!Array.isArray(ids) || ids.length !== 2) return null;
  const [advertiserId, creativeId] = ids as readonly unknown[];
  return isId(advertiserId) && isId(creativeId)
    ? { kind: 'creative', advertiserId: fullId(advertiserId), creativeId: fullId(creativeId) }
    : null;
}

/** True for a text that Postgres can store: without NUL and without lone surrogates. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && !/[\0\p{Cs}]/u.test(value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Permissions of a key. `sql:read` reads everything of the account except keys and secrets. `admin` manages the keys and the webhooks of
 * its account, and nothing else.
 */
export const scopes = [
  'ads:search',
  'email:validate',
  'credits:read',
  'batches:read',
  'batches:write',
  'sql:read',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** Permissions of a key without scopes of its own: everything except managing keys and webhooks. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'admin');

const prefix = 'ns_live_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretChars = 30;
const checksumChars = 6;

/** Pattern of a key, also for secret scanners. 30 characters of base 62 are 178 random bits. */
export const apiKeyPattern = /^ns_live_[0-9A-Za-z]{36}$/;

/** Creates a key: `ns_live_`, 30 random characters of base 62, and 6 characters of their CRC-32, which reveals typing errors. */
export function createApiKey(): string {
  const secret = randomBase62(secretChars);
  return `${prefix}${secret}${checksumOf(secret)}`;
}

/** True when a text has the form and the checksum of a key. The key may still not exist. */
export function isApiKey(text: string): boolean {
  const secret = text.slice(prefix.length, prefix.length + secretChars);
  return apiKeyPattern.test(text) && text.slice(-checksumChars) === checksumOf(secret);
}

/**
 * Digest of a key, as stored. A key has 178 random bits, so it needs no slow hash, which would help an attacker to exhaust the
 * server.
 */
export function digestApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Compares in constant time. */
export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Hint for people: long enough to recognize a key, too short to use it. */
export function hintOf(key: string): string {
  return `${key.slice(0, prefix.length + 4)}…${key.slice(-4)}`;
}

/** 248 is the largest multiple of 62 below 256. Bytes from 248 on are dropped, so that every digit is equally likely. */
function randomBase62(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && text.length < count) text += digits[byte % 62] ?? '';
    }
  }
  return text;
}

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let n = 0; n < checksumChars; n += 1) {
    text = `${digits[rest % 62] ?? ''}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}

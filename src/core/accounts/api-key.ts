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

/** A new key: `ns_live_`, 30 random characters of base 62, and 6 of their CRC-32, by which a mistyped key shows. */
export function createApiKey(): string {
  const secret = randomBase62(secretChars);
  return `${prefix}${secret}${checksumOf(secret)}`;
}

/** True when a text could be a key, by its form and its checksum. It does not tell if such a key exists. */
export function isApiKey(text: string): boolean {
  const secret = text.slice(prefix.length, prefix.length + secretChars);
  return apiKeyPattern.test(text) && text.slice(-checksumChars) === checksumOf(secret);
}

/** Digest of a key, as stored. Its 178 random bits need no slow hash, and a slow hash would help an attacker to exhaust the server. */
export function digestApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Compares in a time that does not tell how much of it is right. */
export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Hint by which people tell keys apart: enough to find a key again, not enough to use it. */
export function hintOf(key: string): string {
  return `${key.slice(0, prefix.length + 4)}…${key.slice(-4)}`;
}

/** 248 is the largest multiple of 62 below 256: bytes from there on are thrown away, so that every digit is as likely. */
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

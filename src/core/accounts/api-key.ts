import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * What a key may be used for. `sql:read` reads whatever the account has, but keys and secrets. `admin` manages the keys and the webhooks
 * of its account, and nothing else.
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

/** What a key without scopes of its own may do: everything but manage keys and webhooks. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'admin');

const prefix = 'ns_live_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretChars = 30;
const checksumChars = 6;

/** How a key looks; also for secret scanners. 30 characters of base 62 are 178 random bits. */
export const apiKeyPattern = /^ns_live_[0-9A-Za-z]{36}$/;

/** A new key: `ns_live_`, 30 random characters of base 62, and 6 of their CRC-32, by which a mistyped key shows. */
export function createApiKey(): string {
  const secret = randomBase62(secretChars);
  return `${prefix}${secret}${checksumOf(secret)}`;
}

/** Whether a text could be a key: its form and its checksum. Says nothing about whether there is such a key. */
export function isApiKey(text: string): boolean {
  const secret = text.slice(prefix.length, prefix.length + secretChars);
  return apiKeyPattern.test(text) && text.slice(-checksumChars) === checksumOf(secret);
}

/** What is stored of a key. Its 178 random bits need no slow hash, and one would be a lever against us. */
export function digestApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Compares in a time that does not tell how much of it is right. */
export function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What people tell keys apart by: enough to find a key again, not enough to use it. */
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

import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits, for a session or a sign-in link; URL-safe text. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Digest of a token, as stored. Its random bits need no slow hash. */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

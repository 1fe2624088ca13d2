import { createHash } from 'node:crypto';

/**
 * In hexadecimal, what stands for an address where the address itself is not kept. In lower case: servers that tell `Bob` from `bob` are none that
 * anybody has met (RFC 5321 §2.4 lets them, and asks nobody to rely on it).
 */
export function mailboxDigest(localPart: string, asciiDomain: string): string {
  return createHash('sha256').update(`${localPart.toLowerCase()}@${asciiDomain}`).digest('hex');
}

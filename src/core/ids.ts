import { randomBytes } from 'node:crypto';

/** Kind of an id. */
export type IdPrefix =
  | 'bat'
  | 'req'
  | 'key'
  | 'sch'
  | 'scn'
  | 'whk'
  | 'evt'
  | 'usr'
  | 'ses'
  | 'inb'
  | 'inf'
  | 'dst'
  | 'inv'
  | 'rpl';

/**
 * Creates a public id: a prefix and a version-7 UUID without dashes (RFC 9562 §5.7), with 48 bits of time, so that ids sort by
 * age, and 74 random bits, so that ids cannot be guessed.
 */
export function newId(prefix: IdPrefix, nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${prefix}_${bytes.toString('hex')}`;
}

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** What Postgres takes by default. The passwords of ours are random, so that more would not help. */
const iterations = 4096;

/**
 * What Postgres stores of a password (RFC 5803), to be handed over in its place: so the password itself stands in no statement, and in
 * no log of statements. Of letters and digits only, which need no preparation.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Iterations of SCRAM, Postgres' default. The passwords are random, so more would not help. */
const iterations = 4096;

/**
 * Computes the verifier that Postgres stores for a password (RFC 5803), so that no statement and no log contains the password
 * itself. For passwords of letters and digits only, which need no preparation.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

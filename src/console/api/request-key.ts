/**
 * Creates an `Idempotency-Key`: with it, a second click or a retry after a lost connection does nothing twice. 128 random bits;
 * `crypto.randomUUID` exists only in secure contexts.
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

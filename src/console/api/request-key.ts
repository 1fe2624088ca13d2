/**
 * A new name for something that is asked for: sent as its `Idempotency-Key`, a second click or a repeat after a lost connection does
 * nothing twice. 128 random bits; `crypto.randomUUID` is there on secure addresses only.
 */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

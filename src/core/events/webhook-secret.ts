import { randomBytes } from 'node:crypto';

/** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret to sign bodies with, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

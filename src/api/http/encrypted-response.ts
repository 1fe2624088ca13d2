import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Reply } from '../../core/accounts/stored-response.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Marks an answer that lies sealed in the store; never sent. */
const sealedHeader = 'sealed';

/**
 * An answer with a secret in it, kept so that only who asked can read it again: what the store has is of no use without the secret
 * that the caller presents, an API key or the token of a session, and that is stored nowhere.
 */
export function encryptResponse(reply: Reply, secret: string): Reply {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, secretOf(secret), iv);
  const sealed = Buffer.concat([cipher.update(reply.body), cipher.final()]);
  return {
    ...reply,
    headers: { ...reply.headers, [sealedHeader]: 'true' },
    body: Buffer.concat([iv, cipher.getAuthTag(), sealed]),
  };
}

/** The answer as it was, sealed or not; null when it was sealed for another secret. */
export function openReply(reply: Reply, secret: string): Reply | null {
  if (reply.headers[sealedHeader] === undefined) return reply;
  const headers = Object.fromEntries(Object.entries(reply.headers).filter(([name]) => name !== sealedHeader));
  const decipher = createDecipheriv(algorithm, secretOf(secret), reply.body.subarray(0, ivBytes));
  decipher.setAuthTag(reply.body.subarray(ivBytes, ivBytes + tagBytes));
  try {
    const body = Buffer.concat([decipher.update(reply.body.subarray(ivBytes + tagBytes)), decipher.final()]);
    return { ...reply, headers, body };
  } catch {
    return null;
  }
}

function secretOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'nightshift kept reply', 32));
}

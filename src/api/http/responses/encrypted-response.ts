import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Reply } from '../../../core/accounts/stored-response.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Marks an encrypted stored response; never sent. */
const sealedHeader = 'sealed';

/**
 * Encrypts a response that contains a secret, for the store. Only its caller can decrypt it: the key derives from the API key or the
 * session token that the caller sends, which is stored nowhere.
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

/** Decrypts a stored response, if it is encrypted. Null when it was encrypted for another secret. */
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

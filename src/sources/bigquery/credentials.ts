import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { Misconfigured } from '../../core/errors.ts';
import { keyFile } from './wire.ts';

/** A service account at Google that signs its own assertions. The key is a secret; a `KeyObject` shows none of it when printed. */
export interface ServiceAccount {
  readonly email: string;
  readonly privateKey: KeyObject;
  readonly keyId: string | undefined;
  /** Endpoint that exchanges a signed assertion for an access token; also its audience. */
  readonly tokenUrl: string;
}

/**
 * Parses the key file (JSON) of a service account.
 *
 * @throws Misconfigured that names the missing or invalid field; never quotes the file.
 */
export function parseServiceAccount(text: string): ServiceAccount {
  const parsed = keyFile.safeParse(parseJson(text));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new Misconfigured(
      `The service account's key file cannot be used: ${field || 'it'} is missing or wrong`,
    );
  }
  return { ...parsed.data, privateKey: parseKey(parsed.data.privateKey) };
}

/** Lifetime of an assertion, in seconds; Google accepts an hour at most. */
const lifetimeS = 3600;

/** Scope of the token: only BigQuery. */
const scope = 'https://www.googleapis.com/auth/bigquery';

/** Signs the assertion that identifies the account at its token endpoint (RFC 7523 §3, RS256). A secret for an hour. */
export function signAssertion({ email, privateKey, keyId, tokenUrl }: ServiceAccount, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) };
  const claims = { iss: email, scope, aud: tokenUrl, iat: issuedAt, exp: issuedAt + lifetimeS };
  const content = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

// The causes are left out of both messages: a parser's error quotes the text.
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new Misconfigured("The service account's key file is not JSON");
  }
}

function parseKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The same message as for another kind of key follows below.
  }
  throw new Misconfigured("The service account's key file cannot be used: private_key is not an RSA key");
}

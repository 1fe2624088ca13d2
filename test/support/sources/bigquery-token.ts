import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { IncomingCall } from './bigquery-request.ts';

/** A service account that exists only in tests. */
export interface StandInAccount {
  readonly email: string;
  /** Key in PEM format. */
  readonly privateKey: string;
  /** Key in PEM format. */
  readonly publicKey: string;
}

/** Creates a service account; generating the key is slow, so one per process is enough. */
export function makeStandInAccount(): StandInAccount {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { email: 'nightshift@acme-ads.iam.gserviceaccount.com', ...pair };
}

const keyId = 'key-1';

/** Content of the account's key file, with the fields of Google's files that clients read. */
export function keyFileOf({ email, privateKey }: StandInAccount, tokenUrl: string): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'acme-ads',
    private_key_id: keyId,
    private_key: privateKey,
    client_email: email,
    token_uri: tokenUrl,
    universe_domain: 'googleapis.com',
  });
}

/** A token, or the reason why the request for it is invalid. */
export type TokenReply =
  { readonly token: string; readonly lifetimeS: number } | { readonly refusal: string };

/** Issues tokens like Google's endpoint, to every caller who can sign for the account. */
export function createTokenServer(account: StandInAccount, nowMs: () => number) {
  const tokens: string[] = [];
  return { give, tokens };

  function give({ headers, body }: IncomingCall): TokenReply {
    if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true)
      return { refusal: 'Not a form' };
    const tokenUrl = `http://${headers.host}/token`;
    const refusal = evaluateForm(new URLSearchParams(body), account, tokenUrl, nowMs() / 1000);
    if (refusal !== null) return { refusal };
    // As long as Google's tokens, and without spaces.
    const token = `ya29.stand-in-${tokens.length + 1}-${'x'.repeat(120)}`;
    tokens.push(token);
    return { token, lifetimeS: 3599 };
  }
}

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const scope = 'https://www.googleapis.com/auth/bigquery';

/**
 * Validates grant type, signature, header, audience, scope, and a lifetime of at most an hour (RFC 7523). Returns null if they
 * are valid.
 */
function evaluateForm(
  form: URLSearchParams,
  account: StandInAccount,
  tokenUrl: string,
  nowS: number,
): string | null {
  if (form.get('grant_type') !== grantType) return 'Invalid grant type';
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  if (!isSigned(`${header}.${claims}`, signature, account.publicKey)) return 'Invalid JWT Signature.';
  const { alg, kid } = readPart(header);
  if (alg !== 'RS256' || kid !== keyId) return 'Invalid JWT: wrong header.';
  const { iss, aud, scope: asked, iat, exp } = readPart(claims);
  if (iss !== account.email || aud !== tokenUrl || asked !== scope) return 'Invalid JWT: wrong claims.';
  if (typeof iat !== 'number' || typeof exp !== 'number') return 'Invalid JWT: no times.';
  const isShortLived = exp - iat <= 3600 && iat <= nowS + 5 && exp > nowS;
  return isShortLived ? null : 'Invalid JWT: must be short-lived.';
}

function isSigned(content: string, signature: string, publicKey: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return verify('RSA-SHA256', Buffer.from(content), createPublicKey(publicKey), bytes);
}

function readPart(part: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
}

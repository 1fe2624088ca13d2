import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Access key that a stand-in knows. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
}

/**
 * Verifies the signature of a request (AWS Signature Version 4) from the bytes of its head, without the library that signs. Returns the code
 * of the error, or null.
 */
export function verifySignature(request: IncomingMessage, key: AccessKey): string | null {
  const { authorization = '' } = request.headers;
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (parsed === null) return authorization === '' ? 'AccessDenied' : 'AuthorizationHeaderMalformed';
  const [, accessKeyId = '', day = '', region = '', signed = '', signature = ''] = parsed;
  if (accessKeyId !== key.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== key.region) return 'AuthorizationHeaderMalformed';
  const date = headerOf(request, 'x-amz-date');
  const time = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!date.startsWith(day) || !(Math.abs(Date.now() - time) < 900_000)) return 'RequestTimeTooSkewed';
  if (headerOf(request, 'x-amz-security-token') !== (key.sessionToken ?? '')) return 'InvalidToken';
  const names = signed.split(';');
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  if (!mustBeSigned.every((name) => names.includes(name))) return 'AccessDenied';
  const scope = `${day}/${region}/s3/aws4_request`;
  const canonical = canonicalRequest(request, names);
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (last, part) => hmac(last, part),
    Buffer.from(`AWS4${key.secretAccessKey}`),
  );
  return hmac(signingKey, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest(request: IncomingMessage, names: readonly string[]): string {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const headers = names.map((name) => `${name}:${headerOf(request, name).trim().replace(/\s+/g, ' ')}\n`);
  return [
    request.method,
    path.split('/').map(reencode).join('/'),
    query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=', 2).map(reencode).join('='))
      .sort()
      .join('&'),
    headers.join(''),
    names.join(';'),
    headerOf(request, 'x-amz-content-sha256'),
  ].join('\n');
}

function reencode(part: string): string {
  return encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name] ?? '';
  return Array.isArray(value) ? value.join(',') : value;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseServiceAccount, signAssertion } from '../../../../../src/sources/bigquery/credentials.ts';
import { Misconfigured } from '../../../../../src/core/errors.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const curve = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const file = {
  type: 'service_account',
  project_id: 'acme-ads',
  private_key_id: 'key-7',
  private_key: privateKey,
  client_email: 'robot@acme-ads.iam.gserviceaccount.com',
};

const readPart = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;

test('an assertion has issuer, scope and audience, expires after an hour and is signed', () => {
  const assertion = signAssertion(parseServiceAccount(JSON.stringify(file)), 1_700_000_000_999);
  const [header, claims, signature = ''] = assertion.split('.');
  expect(readPart(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-7' });
  expect(readPart(claims)).toEqual({
    iss: file.client_email,
    scope: 'https://www.googleapis.com/auth/bigquery',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  });
  const content = Buffer.from(`${header}.${claims}`);
  const bytes = Buffer.from(signature, 'base64url');
  expect(verify('RSA-SHA256', content, createPublicKey(publicKey), bytes)).toBe(true);
});

test('the token endpoint and the key id are taken from the file', () => {
  const bare = { ...file, private_key_id: undefined, token_uri: 'http://127.0.0.1:1/token' };
  const account = parseServiceAccount(JSON.stringify(bare));
  expect(account).toMatchObject({ tokenUrl: 'http://127.0.0.1:1/token', keyId: undefined });
  expect(readPart(signAssertion(account, 0).split('.')[0])).toEqual({ alg: 'RS256', typ: 'JWT' });
});

test('a printed service account shows no key', () => {
  const shown = inspect(parseServiceAccount(JSON.stringify(file)), { depth: 9, showHidden: true });
  expect(shown).not.toMatch(/PRIVATE KEY/);
  expect(JSON.stringify(parseServiceAccount(JSON.stringify(file)))).not.toMatch(/PRIVATE KEY/);
});

test.each<[string, string, RegExp]>([
  ['that is not JSON', 'hunter2', /not JSON/],
  ['of another type', JSON.stringify({ ...file, type: 'hunter2' }), /type is missing or wrong/],
  ['that is a list', '["hunter2"]', /it is missing or wrong/],
  ['without a key', JSON.stringify({ ...file, private_key: undefined }), /private_key is missing/],
  ['without a name', JSON.stringify({ ...file, client_email: '' }), /client_email is missing/],
  ['with an invalid token endpoint', JSON.stringify({ ...file, token_uri: 'hunter2' }), /token_uri/],
  ['with an invalid key', JSON.stringify({ ...file, private_key: 'hunter2' }), /not an RSA key/],
  [
    'with a key of another type',
    JSON.stringify({ ...file, private_key: curve.privateKey }),
    /not an RSA key/,
  ],
])('a key file %s is rejected without a quote of its content', (_, text, message) => {
  const parse = () => parseServiceAccount(text);
  expect(parse).toThrow(Misconfigured);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow(/hunter2|BEGIN/);
});

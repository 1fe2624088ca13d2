import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { parseCredentials } from '../../../../../src/core/storage/credentials.ts';
import { locationKinds } from '../../../../../src/core/storage/location.ts';

test('credentials are parsed from the names of their kind', () => {
  const s3 = { access_key_id: 'a', secret_access_key: 'b', session_token: 'c' };
  expect(parseCredentials('s3', s3)).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' });
  const sftp = { password: 'a', private_key: 'b', passphrase: 'c' };
  expect(parseCredentials('sftp', sftp)).toEqual({ password: 'a', privateKey: 'b', passphrase: 'c' });
  expect(parseCredentials('https', { token: 'a' })).toEqual({ token: 'a' });
  expect(parseCredentials('postgres', { password: 'a' })).toEqual({ password: 'a' });
  expect(parseCredentials('folder', {})).toEqual({});
});

test.each([
  ['folder', { password: 'a' }, 'a folder has no credentials'],
  ['s3', { password: 'a' }, 'access_key_id, secret_access_key, session_token'],
  ['s3', { access_key_id: 'a' }, 'both access_key_id and secret_access_key'],
  ['s3', { secret_access_key: 'a' }, 'both access_key_id and secret_access_key'],
  ['sftp', { password: '' }, '1 to 16384 characters'],
  ['sftp', { password: 1 }, '1 to 16384 characters'],
  ['sftp', { password: 'x'.repeat(16_385) }, '1 to 16384 characters'],
  ['https', ['token'], 'a JSON object with token'],
  ['https', null, 'a JSON object with token'],
  ['https', 'token', 'a JSON object with token'],
] as const)('credentials of the kind %s are rejected: %j', (kind, value, message) => {
  expect(() => parseCredentials(kind, value)).toThrow(message);
});

test('error about credentials contains none of their names or values', () => {
  const secret = fc
    .string({ unit: fc.constantFrom(...'kq7'), minLength: 4, maxLength: 30 })
    .map((text) => `zz${text}`);
  const wrong = fc.oneof(
    secret,
    secret.map((text) => [text]),
    secret.map((text) => ({ [text]: text })),
    secret.map((text) => ({ access_key_id: text, password: [text] })),
    secret.map((text) => ({ password: { [text]: text } })),
    secret.map((text) => ({ token: text.repeat(9000), private_key: text.repeat(9000) })),
  );
  fc.assert(
    fc.property(fc.constantFrom(...locationKinds), wrong, (kind, value) => {
      try {
        parseCredentials(kind, value);
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
        expect((error as Error).message).not.toContain('zz');
      }
    }),
  );
});

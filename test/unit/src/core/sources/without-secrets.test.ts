import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../../../src/core/sources/without-secrets.ts';

const names = [
  ...[
    'access_token',
    'api_key',
    'apikey',
    'key',
    'sig',
    'signature',
    'token',
    'X-Amz-Signature',
    'X-Goog-Signature',
  ],
  ...[
    'X-Amz-Credential',
    'X-Amz-Security-Token',
    'client_secret',
    'password',
    'jwt',
    'appsecret_proof',
    'KEY',
  ],
];

test.each(names)('withoutSecrets removes %s from a query and a fragment', (name) => {
  expect(withoutSecrets(`https://a.example/p?x=1&${name}=S3cret%26-_.~+/=&y=2`)).toBe(
    'https://a.example/p?x=1&y=2',
  );
  expect(withoutSecrets(`https://a.example/p?${name}=S3cret`)).toBe('https://a.example/p');
  expect(withoutSecrets(`https://a.example/#${name}=S3cret&state=1`)).toBe('https://a.example/#state=1');
});

test.each([
  ['several in a row', 'https://a.example/?token=S&sig=S&x=1', 'https://a.example/?x=1'],
  ['before a fragment', 'https://a.example/?token=S#top', 'https://a.example/#top'],
  [
    'in markup',
    '<img src="https://a.example/?x=1&amp;key=S&amp;y=2">',
    '<img src="https://a.example/?x=1&amp;y=2">',
  ],
  [
    'in JSON',
    String.raw`{"u":"https:\/\/a.example\/?x=1\u0026key\u003dS\/S\u0026y=2"}`,
    String.raw`{"u":"https:\/\/a.example\/?x=1\u0026y=2"}`,
  ],
  [
    'in markup in JSON',
    String.raw`{"c":"<img src=\"https://a.example/?key=S\">"}`,
    String.raw`{"c":"<img src=\"https://a.example/\">"}`,
  ],
  [
    'in a link in a link',
    'https://r.example/?u=https%3A%2F%2Fa.example%3Ftoken%3DS%26x%3D1&k=2',
    'https://r.example/?u=https%3A%2F%2Fa.example%3Fx%3D1&k=2',
  ],
  ['before a host', 'https://user:S@a.example/@me', 'https://a.example/@me'],
  ['before a host, alone', 'ftp://S@a.example/', 'ftp://a.example/'],
])('withoutSecrets removes secrets: %s', (_, text, expected) => {
  expect(withoutSecrets(text)).toBe(expected);
  expect(withoutSecrets(expected)).toBe(expected);
});

test.each([
  'https://a.example/?monkey=1&keyword=2&tokens=3&signature_pad=4&next_page_token=5',
  '{"token":"CgoAP7","key":1,"continuation_token":"a=="}',
  'Win a key = open the door? token',
  'jo@a.example wrote to http://a.example:80/x@y',
])('withoutSecrets keeps %s', (text) => expect(withoutSecrets(text)).toBe(text));

const preview = 'https://displayads-formats.googleusercontent.com/ads/preview/content.js';

test.each([
  ['in JSON', `{"link":"${preview}?client=x&sig=AC-1_b&htmlParentId=f"}`],
  ['escaped', String.raw`{"4":"${preview.replaceAll('/', String.raw`\/`)}?client\u003dx\u0026sig\u003dAC"}`],
])('withoutSecrets keeps the signature of the public preview of an ad, %s', (_, text) =>
  expect(withoutSecrets(text)).toBe(text),
);

test('withoutSecrets removes everything else from a preview, and signatures beside it', () => {
  expect(withoutSecrets(`"${preview}?token=S&sig=A&key=S&x=1","https://a.example/?sig=S"`)).toBe(
    `"${preview}?sig=A&x=1","https://a.example/"`,
  );
  expect(withoutSecrets(`https://a.example/?u=${preview.replace('https', 'http')}&sig=S`)).toBe(
    `https://a.example/?u=${preview.replace('https', 'http')}`,
  );
});

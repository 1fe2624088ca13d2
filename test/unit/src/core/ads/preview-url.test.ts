import { expect, test } from 'vitest';
import { previewUrlOf } from '../../../../../src/core/ads/preview-url.ts';

const host = 'https://displayads-formats.googleusercontent.com/ads/preview/content.js';

test.each([
  [
    `${host}?client=x&htmlParentId=fletch-1&sig=A%3D&responseCallback=cb1#top`,
    `${host}?client=x&sig=A%3D#top`,
  ],
  [`${host}?htmlParentId=fletch-1&responseCallback=cb1`, host],
  [`${host}?assets=%3DH4sI=&b`, `${host}?assets=%3DH4sI=&b`],
  [
    'http://a.example/sadbundle/$csp%3Darchive$/1/index.html',
    'http://a.example/sadbundle/$csp%3Darchive$/1/index.html',
  ],
])('the preview URL %s is kept without its nonces', (given, expected) => {
  expect(previewUrlOf(given)).toBe(expected);
  expect(previewUrlOf(expected)).toBe(expected);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '//a.example/x',
  'https://',
  'https://user:secret@a.example/x',
  'https://a.example/"onload="x',
  'https://a.example/a b',
  `https://a.example/${'x'.repeat(8_192)}`,
  '',
  null,
  undefined,
])('%j is no preview URL', (given) => expect(previewUrlOf(given)).toBeNull());

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateAnswer } from '../../../../../src/sources/transparency/captcha-detection.ts';
import { EnrichError } from '../../../../../src/core/errors.ts';

const answer = { status: 200, location: null, retryAfterMs: null, text: '{}' };
const blocked = (delayMs: number) => ({ code: 'source_blocked', retry: { kind: 'after', delayMs } });

describe('a reply of the service', () => {
  test.each([403, 429, 503])('with status %i is a block for its Retry-After or half an hour', (status) => {
    expect(evaluateAnswer({ ...answer, status })).toMatchObject(blocked(1_800_000));
    expect(evaluateAnswer({ ...answer, status, retryAfterMs: 90_000 })).toMatchObject(blocked(90_000));
  });

  test.each([
    [
      'a redirect to the captcha page',
      { status: 302, location: 'https://www.google.com/sorry/index?q=1', text: '' },
    ],
    ['the text of a redirect', { status: 200, text: '302 Moved' }],
    [
      'the captcha page',
      { status: 200, text: 'Our systems have detected unusual traffic from your network' },
    ],
    ['a link to the captcha page', { status: 500, text: '<a href="/sorry/index">here</a>' }],
    ['an HTML page', { status: 200, text: '\n<!doctype html><html></html>' }],
  ])('that is %s is a block', (_, changes) => {
    expect(evaluateAnswer({ ...answer, ...changes })).toMatchObject(blocked(1_800_000));
  });

  test.each([
    ['a rejection', { 2: 'a.BadRequestException: x', 5: 400, 9: 3 }, { code: 'source_refused', status: 400 }],
    ['a failure', { 2: 'NullPointerException' }, { code: 'source_unavailable', inDoubt: false }],
    ['a failure with a code', { 2: 'XException', 5: 500 }, { code: 'source_unavailable', inDoubt: false }],
  ])('that is %s has the matching error, even after a guard line', (_, body, expected) => {
    const text = JSON.stringify(body);
    expect(evaluateAnswer({ ...answer, text })).toMatchObject(expected);
    expect(evaluateAnswer({ ...answer, text: `)]}'\n${text}` })).toMatchObject(expected);
  });

  test.each([
    [
      'an advertiser named Unusual Traffic',
      { 1: [{ 12: 'Unusual Traffic /sorry/ 302 Moved Inc.' }], 4: '1', 5: '1' },
    ],
    ['a token that contains Exception', { 1: [], 2: 'CgExceptionAA==' }],
    ['an empty object', {}],
  ])('with %s is not an error', (_, body) => {
    expect(evaluateAnswer({ ...answer, text: JSON.stringify(body) })).toBeNull();
  });

  test.each([
    ['a failure of the server', { status: 500, text: '<html>Error 500</html>' }],
    ['a missing page', { status: 404, text: '<html>Error 404</html>' }],
    ['a redirect elsewhere', { status: 302, location: 'https://consent.google.com/', text: '' }],
    ['an incomplete reply', { status: 200, text: '{"1":[' }],
  ])('that is %s is not a block', (_, changes) => {
    expect(evaluateAnswer({ ...answer, ...changes })).toBeNull();
  });

  test('of any kind is evaluated without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 200, max: 599 }), (text, status) => {
        const evaluated = evaluateAnswer({ ...answer, text, status });
        expect(evaluated === null || evaluated instanceof EnrichError).toBe(true);
      }),
    );
  });
});

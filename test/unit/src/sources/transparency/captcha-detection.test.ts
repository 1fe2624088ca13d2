import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateAnswer } from '../../../../../src/sources/transparency/captcha-detection.ts';
import { EnrichError } from '../../../../../src/core/errors.ts';

const answer = { status: 200, location: null, retryAfterMs: null, text: '{}' };
const wall = (delayMs: number) => ({ code: 'source_blocked', retry: { kind: 'after', delayMs } });

describe('an answer of the service', () => {
  test.each([403, 429, 503])(
    'with status %i is a block, for as long as it says or half an hour',
    (status) => {
      expect(evaluateAnswer({ ...answer, status })).toMatchObject(wall(1_800_000));
      expect(evaluateAnswer({ ...answer, status, retryAfterMs: 90_000 })).toMatchObject(wall(90_000));
    },
  );

  test.each([
    ['a redirect to the wall', { status: 302, location: 'https://www.google.com/sorry/index?q=1', text: '' }],
    ['the words of a redirect', { status: 200, text: '302 Moved' }],
    ['the page itself', { status: 200, text: 'Our systems have detected unusual traffic from your network' }],
    ['a link to it', { status: 500, text: '<a href="/sorry/index">here</a>' }],
    ['a page', { status: 200, text: '\n<!doctype html><html></html>' }],
  ])('that is %s is a block', (_, changes) => {
    expect(evaluateAnswer({ ...answer, ...changes })).toMatchObject(wall(1_800_000));
  });

  test.each([
    ['its refusal', { 2: 'a.BadRequestException: x', 5: 400, 9: 3 }, { code: 'source_refused', status: 400 }],
    ['its failure', { 2: 'NullPointerException' }, { code: 'source_unavailable', inDoubt: false }],
    ['a failure with a number', { 2: 'XException', 5: 500 }, { code: 'source_unavailable', inDoubt: false }],
  ])('that is %s is that, behind a guard too', (_, body, expected) => {
    const text = JSON.stringify(body);
    expect(evaluateAnswer({ ...answer, text })).toMatchObject(expected);
    expect(evaluateAnswer({ ...answer, text: `)]}'\n${text}` })).toMatchObject(expected);
  });

  test.each([
    [
      'an advertiser called Unusual Traffic',
      { 1: [{ 12: 'Unusual Traffic /sorry/ 302 Moved Inc.' }], 4: '1', 5: '1' },
    ],
    ['a token that spells Exception', { 1: [], 2: 'CgExceptionAA==' }],
    ['an empty object', {}],
  ])('with %s is left to be read', (_, body) => {
    expect(evaluateAnswer({ ...answer, text: JSON.stringify(body) })).toBeNull();
  });

  test.each([
    ['a failure of the server', { status: 500, text: '<html>Error 500</html>' }],
    ['a page that is not there', { status: 404, text: '<html>Error 404</html>' }],
    ['a redirect elsewhere', { status: 302, location: 'https://consent.google.com/', text: '' }],
    ['half a reply', { status: 200, text: '{"1":[' }],
  ])('that is %s is left to the status and the reader', (_, changes) => {
    expect(evaluateAnswer({ ...answer, ...changes })).toBeNull();
  });

  test('of any kind is judged without a defect', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 200, max: 599 }), (text, status) => {
        const evaluated = evaluateAnswer({ ...answer, text, status });
        expect(evaluated === null || evaluated instanceof EnrichError).toBe(true);
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import {
  assertTermsFit,
  formatSettle,
  parseEvery,
  parseInboxName,
  parsePattern,
  parseQuery,
  parseSettle,
  standardInboxTerms,
  type InboxTerms,
} from '../../../../../src/core/inboxes/inbox.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { parseLocation } from '../../../../../src/core/storage/location.ts';

describe('a settle time', () => {
  test.each([
    ['0', 0, '0s'],
    ['10s', 10_000, '10s'],
    ['90', 90_000, '90s'],
    ['2m', 120_000, '2m'],
    ['1h', 3_600_000, '60m'],
  ])('%s is %i ms', (text, ms, shown) => {
    expect(parseSettle(text, '--settle')).toBe(ms);
    expect(formatSettle(ms)).toBe(shown);
    expect(parseSettle(shown, '--settle')).toBe(ms);
  });

  test.each(['', '-1s', '2h', '3601', '1d', 's', '1.5s'])('%j is rejected', (text) => {
    expect(() => parseSettle(text, '--settle')).toThrow(ValidationError);
  });
});

describe('an interval', () => {
  test.each([
    ['1m', '*/1 * * * *'],
    ['5m', '*/5 * * * *'],
    ['60m', '0 * * * *'],
    ['1h', '0 */1 * * *'],
    ['6h', '0 */6 * * *'],
    ['24h', '0 0 * * *'],
    ['1d', '0 0 * * *'],
  ])('%s is the pattern %s', (text, pattern) => {
    expect(parseEvery(text, '--every')).toBe(pattern);
  });

  test.each(['7m', '0m', '5h', '2d', '5', 'often'])('%s is rejected', (text) => {
    expect(() => parseEvery(text, '--every')).toThrow('--every');
  });
});

test.each(['', ' ', 'inb_1', 'a\nb', 'x'.repeat(101)])('the name %j is rejected', (name) => {
  expect(() => parseInboxName(name, 'name')).toThrow(ValidationError);
});

test.each(['', 'a/b', 'a\0', 'x'.repeat(201)])('the pattern %j is rejected', (pattern) => {
  expect(() => parsePattern(pattern, '--pattern')).toThrow(ValidationError);
});

test('a query loses its semicolon, and must not be empty', () => {
  expect(parseQuery(' SELECT 1 ; ;\n', '--query')).toBe('SELECT 1');
  expect(() => parseQuery(' ; ', '--query')).toThrow(ValidationError);
});

describe('terms', () => {
  const terms = (location: string, changes: Partial<InboxTerms> = {}): InboxTerms => ({
    ...standardInboxTerms,
    ...{ name: 'lists', location: parseLocation(location), timeZone: 'UTC', sources: [] },
    ...changes,
  });

  test.each([
    ['/data', {}],
    ['s3://bucket/in', { after: 'delete' }],
    ['postgres://me@host/db', { query: 'SELECT 1', newerBy: 'id' }],
  ] as const)('of %s that fit are accepted', (location, changes) => {
    expect(() => assertTermsFit(terms(location, changes))).not.toThrow();
  });

  test.each([
    ['postgres://me@host/db', {}, 'needs a query'],
    ['/data', { query: 'SELECT 1' }, 'Only a location on Postgres has a query'],
    ['/data', { newerBy: 'id' }, 'Only a location on Postgres has a column'],
    ['https://example.com/a.csv', { after: 'move' }, 'cannot be moved or deleted'],
    ['postgres://me@host/db', { query: 'SELECT 1', after: 'delete' }, 'cannot be moved or deleted'],
  ] as const)('of %s that do not fit are rejected', (location, changes, message) => {
    expect(() => assertTermsFit(terms(location, changes))).toThrow(message);
  });
});

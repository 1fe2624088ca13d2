import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeCursorCharsMax,
  formatChangeCursor,
  parseChangeCursor,
} from '../../../../../src/core/changes/change-cursor.ts';

test('a change cursor is parsed to the formatted position for any company name', () => {
  const ids = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });
  const named = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 500 })
    .filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(ids, ids, named, (scanId, adId, name) => {
      const position = { scanId, companyKey: `n:${name}`, adId };
      expect(parseChangeCursor(formatChangeCursor(position))).toEqual(position);
    }),
  );
});

test('the longest change cursor is within the length limit', () => {
  const most = 10n ** 18n - 1n;
  const companyKey = `n:${'\u{1F980}'.repeat(500)}`;
  expect(formatChangeCursor({ scanId: most, companyKey, adId: most }).length).toBeLessThanOrEqual(
    changeCursorCharsMax,
  );
});

test.each([
  '',
  'nonsense',
  '1',
  '1.2',
  '1.2.',
  'x.2.d:nike.com',
  `${'9'.repeat(19)}.1.d:nike.com`,
  '1.2.d:\0',
])('a text that is not a change cursor is parsed as null: %j', (text) => {
  expect(parseChangeCursor(text)).toBeNull();
  expect(parseChangeCursor(Buffer.from(text).toString('base64url'))).toBeNull();
});

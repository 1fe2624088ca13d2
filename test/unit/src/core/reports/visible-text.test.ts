import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten, visibleText } from '../../../../../src/core/reports/visible-text.ts';

test.each([
  ['a\tb\r\nc', 'a b c'],
  ['a\u2028b\u0085c', 'a b c'],
  [
    'soft\u00adhyphen, zero\u200bwidth, word\u2060joiner, \ufeffmark',
    'softhyphen, zerowidth, wordjoiner, mark',
  ],
  ['\u202egpj.exe', '[U+202E]gpj.exe'],
  ['\u2066a\u2069', '[U+2066]a[U+2069]'],
  ['\u001b[31mred', '[U+001B][31mred'],
  ['half \ud83d', 'half [U+D83D]'],
  ['\u{e0041}', '[U+E0041]'],
  ['\uffff', '[U+FFFF]'],
])('visibleText of %j is %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each(['Nestlé S.A.', '株式会社', 'می\u200cخواهم', '👨\u200d👩\u200d👧', 'İstanbul ❤️', 'a  b'])(
  'visibleText keeps %s unchanged',
  (text) => {
    expect(visibleText(text)).toBe(text);
  },
);

const codePoint = fc.integer({ min: 0, max: 0x10ffff });

test('visibleText returns one line without control, format or surrogate characters for any text', () => {
  const unit = fc.oneof(
    fc.array(codePoint).map((points) => String.fromCodePoint(...points)),
    fc.constantFrom('\u202e', '\u2067', '\u200b', '\u001b', '\0', '\n', '\ud800', '\u061c', '\u{e0020}'),
  );
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const shown = visibleText(parts.join(''));
      expect(shown).not.toMatch(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(visibleText(shown)).toBe(shown);
    }),
  );
});

test('shorten truncates a long text between characters and adds an ellipsis', () => {
  expect(shorten('  Run further  ', 11)).toBe('Run further');
  expect(shorten('Run further', 10)).toBe('Run furth…');
  expect(shorten('Run further', 5)).toBe('Run…');
  expect(shorten('😀😀😀', 3)).toBe('😀😀😀');
  expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
});

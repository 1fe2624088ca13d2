import { describe, expect, test } from 'vitest';
import { parseImageElement, type Characters } from '../../../../../src/core/ads/image-element.ts';

test('an image element has its address and size in any order of attributes and with any quotes', () => {
  const read = { src: 'https://a.example/1', height: 209, width: 348 };
  expect(parseImageElement('<img src="https://a.example/1" height="209" width="348">')).toEqual(read);
  expect(parseImageElement("<IMG width=348 HEIGHT='209' src=https://a.example/1 />")).toEqual(read);
});

test('character references in the address of an image element are decoded once', () => {
  expect(parseImageElement('<img src="https://a.example/?a=1&amp;b=&quot;&#39;&lt;&gt;">')?.src).toBe(
    'https://a.example/?a=1&b="\'<>',
  );
  expect(parseImageElement('<img src="&amp;lt;">')?.src).toBe('&lt;');
});

test.each(['<img src="x" height="100%" width="-1">', '<img src="x" height="" width="1.5">', '<img src="x">'])(
  'a size that is not an integer is null: %s',
  (content) => {
    expect(parseImageElement(content)).toEqual({ src: 'x', height: null, width: null });
  },
);

test.each(['', 'text', '<img>', '<img src="">', '<svg src="x">', '<img src="x"><b>', '<a><img src="x"></a>'])(
  '%j is not an image element',
  (content) => {
    expect(parseImageElement(content)).toBeNull();
  },
);

test('an unclosed quote ends the attributes, and an unquoted value ends at a blank', () => {
  expect(parseImageElement('<img src="x" alt="never closed height=3>')).toEqual({
    src: 'x',
    height: null,
    width: null,
  });
  expect(parseImageElement('<img src=https://a.example/?a=1&b=2 height=3>')?.src).toBe(
    'https://a.example/?a=1&b=2',
  );
});

describe('hostile markup is parsed in linear time', () => {
  const hostile = [
    ...['a', 'a ', 'a=', 'a="', "a='", ' ', '=', '"', 'a = ', 'a-', 'src="x" ', '/', '&amp;'],
    ...['<img ', '<', '>', '> '],
  ];

  test.each([...hostile.map((unit) => [unit, 20_000] as const), ['a="', 5_000_000] as const])(
    'for %j, %i characters and twice as many',
    (unit, chars) => {
      const [once, twice] = [chars, 2 * chars].map((length) => checkedAt(`<img ${repeated(unit, length)}>`));
      expect(twice).toBeLessThanOrEqual(3 * (once ?? 0) + 100);
      expect(twice).toBeLessThanOrEqual(10 * 2 * chars);
    },
  );

  function repeated(unit: string, length: number): string {
    return unit.repeat(Math.ceil(length / unit.length));
  }

  /** Number of characters that parsing a text inspects or consumes. */
  function checkedAt(text: string): number {
    let steps = 0;
    const counted: Characters = {
      length: text.length,
      charAt: (at) => ((steps += 1), text.charAt(at)),
      slice: (from = 0, to = text.length) => ((steps += to - from), text.slice(from, to)),
    };
    parseImageElement(counted);
    return steps;
  }
});

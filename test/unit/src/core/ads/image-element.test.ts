import { expect, test } from 'vitest';
import { parseImageElement } from '../../../../../src/core/ads/image-element.ts';

test('an image element is its address and its sizes, in whatever order and quotes they come', () => {
  const read = { src: 'https://a.example/1', height: 209, width: 348 };
  expect(parseImageElement('<img src="https://a.example/1" height="209" width="348">')).toEqual(read);
  expect(parseImageElement("<IMG width=348 HEIGHT='209' src=https://a.example/1 />")).toEqual(read);
});

test('character references of its address are resolved once', () => {
  expect(parseImageElement('<img src="https://a.example/?a=1&amp;b=&quot;&#39;&lt;&gt;">')?.src).toBe(
    'https://a.example/?a=1&b="\'<>',
  );
  expect(parseImageElement('<img src="&amp;lt;">')?.src).toBe('&lt;');
});

test.each(['<img src="x" height="100%" width="-1">', '<img src="x" height="" width="1.5">', '<img src="x">'])(
  'a size that is no whole number is none: %s',
  (content) => {
    expect(parseImageElement(content)).toEqual({ src: 'x', height: null, width: null });
  },
);

test.each(['', 'text', '<img>', '<img src="">', '<svg src="x">', '<img src="x"><b>', '<a><img src="x"></a>'])(
  '%j is no image element',
  (content) => {
    expect(parseImageElement(content)).toBeNull();
  },
);

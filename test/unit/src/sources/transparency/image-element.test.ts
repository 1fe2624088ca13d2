import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageVariant } from '../../../../../src/sources/transparency/image-element.ts';

describe('an image element', () => {
  test.each([
    ['<img src="https://a.example/1" height="209" width="348">', 209, 348],
    ['<img width="348" height="209" src="https://a.example/1">', 209, 348],
    ["<IMG WIDTH='348' alt='a \"b\" height=1' src='https://a.example/1' />", null, 348],
    ['<img src=https://a.example/1 height=209>', 209, null],
    ['<img src="https://a.example/1?height=5&width=6">', null, null],
    ['<img data-height="5" src="https://a.example/1" height="100%" width="">', null, null],
    ['<img src="https://a.example/1" height="-1" width="99999999999">', null, null],
    [' <img src="https://a.example/1" height="2" width="3">\n', 2, 3],
  ])('keeps its text and has its size: %s', (content, height, width) => {
    expect(imageVariant(content)).toEqual({ content, height, width });
  });

  test.each([
    '',
    'Shoes for everyone',
    '<iframe src="https://a.example/1">',
    '<img height="1" width="1">',
    '<img src="">',
    '<imgsrc="x">',
    '<a><img src="x"></a>',
    '<img src="x"><img src="y">',
    'https://a.example/1.png',
  ])('does not include %j', (content) => {
    expect(imageVariant(content)).toBeNull();
  });

  test('is null or the unchanged text with integer sizes for any text', () => {
    const word = fc.constantFrom(
      '<img ',
      'src="x"',
      ' height="',
      '3',
      '"',
      "'",
      '>',
      '=',
      ' width=',
      'a',
      '<',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (content) => {
        const variant = imageVariant(content);
        if (variant === null) return;
        expect(variant.content).toBe(content);
        for (const size of [variant.height, variant.width]) {
          expect(size === null || (Number.isInteger(size) && size >= 0)).toBe(true);
        }
      }),
    );
  });
});

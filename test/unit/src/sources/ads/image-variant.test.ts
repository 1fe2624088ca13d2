import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageVariant } from '../../../../../src/sources/ads/image-variant.ts';

const url = 'https://tpc.googlesyndication.com/archive/simgad/7623090292697106908';

test('an image variant has an image element in the format of Google', () => {
  expect(imageVariant({ url, height: 209, width: 348 })).toEqual({
    content: `<img src="${url}" height="209" width="348">`,
    height: 209,
    width: 348,
  });
});

test('an image variant has no attribute for an unknown size', () => {
  expect(imageVariant({ url, height: null, width: null }).content).toBe(`<img src="${url}">`);
  expect(imageVariant({ url, height: 0, width: null }).content).toBe(`<img src="${url}" height="0">`);
});

test('an image variant escapes its URL, so that it is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '<', '>', '&', '&amp;', "'") }), (address) => {
      const { content } = imageVariant({ url: address, height: null, width: null });
      const src = /^<img src="([^"<>]*)">$/.exec(content)?.[1] ?? 'not one element';
      const read = src
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
      expect(read).toBe(address);
    }),
  );
});

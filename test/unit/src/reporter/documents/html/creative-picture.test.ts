import { expect, test } from 'vitest';
import { creativePicture } from '../../../../../../src/reporter/documents/html/creative-picture.ts';
import { sampleRows } from '../../../../../../src/core/sample/sample-ads.ts';
import { printMarkup } from '../../../../../../src/reporter/documents/model/markup.ts';
import { vectors } from '../../../../../support/xss/vectors.ts';

function shown(markup: string | null, withPictures = true): string | null {
  const picture = creativePicture(markup, 'Ad of "Nike"', { withPictures });
  return picture === null ? null : printMarkup(picture).replace(/\s+/g, ' ');
}

test('picture of an ad keeps only its URL and size from the markup', () => {
  expect(
    shown(
      '<img src="https://tpc.googlesyndication.com/archive/simgad/1?a=1&amp;b=2" onerror="alert(1)" height="209" width="348">',
    ),
  ).toBe(
    '<img class="creative" src="https://tpc.googlesyndication.com/archive/simgad/1?a=1&amp;b=2" alt="Ad of &quot;Nike&quot;" ' +
      'width="348" height="209" loading="lazy" decoding="async" referrerpolicy="no-referrer" />',
  );
});

test.each([
  '<img src="https://s0.2mdn.net/1">',
  '<img src="https://s0.2mdn.net/1" width="0" height="5">',
  '<img src="https://s0.2mdn.net/1" width="1" height="99999">',
  '<img src="https://s0.2mdn.net/1" width="1e3" height="5">',
])('picture has no size if its size is invalid: %s', (markup) => {
  expect(shown(markup)).not.toContain('width');
});

test.each([
  null,
  '',
  '<p>Buy</p>',
  '<img src="https://tpc.googlesyndication.com/1"><script>alert(1)</script>',
  '<img src="http://tpc.googlesyndication.com/1">',
  '<img src="https://tpc.googlesyndication.com:8443/1">',
  '<img src="https://user@tpc.googlesyndication.com/1">',
  '<img src="https://evil.example/1">',
])('%j is not a picture', (markup) => {
  expect(shown(markup)).toBeNull();
});

test('without pictures of other hosts, only those of the sample are shown, as a part of the page', () => {
  const [ad] = sampleRows('2026-11-27');
  const markup = ad?.content?.variants[0]?.content ?? '';
  const { data = '' } =
    /src="data:image\/svg\+xml;base64,(?<data>[^"]+)"/.exec(shown(markup, false) ?? '')?.groups ?? {};
  expect(Buffer.from(data, 'base64').toString()).toMatch(/^<svg [^]*Nike[^]*<\/svg>\n$/);
  expect(shown(markup, true)).toBe(shown(markup, false));
  expect(shown('<img src="https://s0.2mdn.net/1">', false)).toBeNull();
  expect(shown('<img src="/sample-creatives/CR00000000000000000001-0.svg">', false)).toBeNull();
});

test('hostile text is never a picture', () => {
  expect(vectors.filter(({ text }) => shown(text) !== null)).toEqual([]);
});

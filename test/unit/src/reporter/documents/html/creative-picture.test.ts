import { expect, test } from 'vitest';
import { creativePicture } from '../../../../../../src/reporter/documents/html/creative-picture.ts';
import { printMarkup } from '../../../../../../src/reporter/documents/model/markup.ts';
import { vectors } from '../../../../../support/xss/vectors.ts';

function shown(markup: string | null): string | null {
  const picture = creativePicture(markup, 'Ad of "Nike"');
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

test('hostile text is never a picture', () => {
  expect(vectors.filter(({ text }) => shown(text) !== null)).toEqual([]);
});

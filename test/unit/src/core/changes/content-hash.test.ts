import { expect, test } from 'vitest';
import type { Variant } from '../../../../../src/core/ads/ad.ts';
import { hashLook } from '../../../../../src/core/changes/content-hash.ts';

type Look = Parameters<typeof hashLook>[0];

const text = {
  headline: 'Buy',
  description: 'Now',
  displayUrl: 'acme.com',
  finalUrl: 'https://acme.com/a',
  adType: 'x',
};
const image = variant(
  '<img src="https://tpc.googlesyndication.com/archive/simgad/7623090292697106908" height="209" width="348">',
);
const look: Look = { format: 'Text', text, variants: [image, variant('<p>second</p>', 250, 300)] };

/** A preview as the Transparency Center answers it: its two nonces differ in every reply. */
function preview(nonce: string, changes: Readonly<Record<string, string>> = {}): string {
  const parameters = {
    client: 'ads-integrity-transparency',
    obfuscatedCustomerId: '5385878627',
    creativeId: '814966860923',
    uiFeatures: '12,54',
    adGroupId: '196695145654',
    versionId: '1',
    sig: 'ACiVB_zN8mMHQbBcdZ4b',
    htmlParentId: `fletch-render-${nonce}`,
    responseCallback: `fletchCallback${nonce}`,
    ...changes,
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `https://displayads-formats.googleusercontent.com/ads/preview/content.js?${query.join('&')}`;
}

const [first, second] = ['4245577807090671785', '16318802834771262907'];

test('a look is 64 hexadecimal digits, and stays what it was when it was first stored', () => {
  expect(hashLook(look)).toBe(hashLook({ ...look }));
  expect(hashLook({ format: null, text: null, variants: [] })).toBe(
    'ae60cb3b8270e68435f69aa36a30b9ba9cd2d93cc7fdd8710729d7aaa538e2ae',
  );
});

test.each([
  ['bare', (url: string) => url],
  ['in a script element', (url: string) => `<script src="${url}"></script>`],
  [
    'in an element with its ampersands escaped',
    (url: string) => `<script src='${url.replaceAll('&', '&amp;')}'></script>`,
  ],
  ['with more behind it', (url: string) => `${url}&assets=%3DH4sIAAAAAAAAAOMSYA&overlay=1`],
  ['within another address', (url: string) => `https://proxy.example/?u=${encodeURIComponent(url)}&x=1`],
  ['in JSON', (url: string) => JSON.stringify({ url }).replaceAll('&', '\\u0026')],
])('a preview, %s, is the same whatever its nonces, and another with another creative', (_where, write) => {
  const hash = (url: string) => hashLook({ ...look, variants: [variant(write(url))] });
  expect(hash(preview(first))).toBe(hash(preview(second)));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { creativeId: '814966860924' })));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { versionId: '2' })));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { sig: 'other' })));
});

test('what comes after a nonce still counts', () => {
  const hash = (url: string) => hashLook({ ...look, variants: [variant(url)] });
  expect(hash(`${preview(first)}&assets=1`)).not.toBe(hash(`${preview(first)}&assets=2`));
});

test('the order of variants, and that one is told twice, play no part', () => {
  const [one, other] = look.variants;
  if (one === undefined || other === undefined) throw new Error('The look has two variants.');
  expect(hashLook({ ...look, variants: [other, one] })).toBe(hashLook(look));
  expect(hashLook({ ...look, variants: [one, other, one] })).toBe(hashLook(look));
  expect(hashLook({ ...look, variants: [one] })).not.toBe(hashLook(look));
});

test('space around a rendering plays no part, the kind of an ad that only texts have neither', () => {
  expect(
    hashLook({
      ...look,
      variants: look.variants.map((each) => ({ ...each, content: ` ${each.content}\n` })),
    }),
  ).toBe(hashLook(look));
  expect(hashLook({ ...look, text: { ...text, adType: 'y' } })).toBe(hashLook(look));
});

const changes: readonly (readonly [string, Look])[] = [
  ['format', { ...look, format: 'Image' }],
  ['headline', { ...look, text: { ...text, headline: 'Sell' } }],
  ['description', { ...look, text: { ...text, description: null } }],
  ['display URL', { ...look, text: { ...text, displayUrl: 'acme.de' } }],
  ['final URL', { ...look, text: { ...text, finalUrl: 'https://acme.com/b' } }],
  ['content', { ...look, variants: [variant('<p>third</p>')] }],
  ['height', { ...look, variants: look.variants.map((each) => ({ ...each, height: 1 })) }],
  ['width', { ...look, variants: look.variants.map((each) => ({ ...each, width: null })) }],
  ['texts that changed places', { ...look, text: { ...text, headline: 'Now', description: 'Buy' } }],
];

test.each(changes)('another %s is another look', (_name, changed) => {
  expect(hashLook(changed)).not.toBe(hashLook(look));
});

function variant(content: string, height: number | null = 209, width: number | null = 348): Variant {
  return { content, height, width };
}

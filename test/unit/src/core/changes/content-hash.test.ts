import { expect, test } from 'vitest';
import type { Variant } from '../../../../../src/core/ads/ad.ts';
import { hashContent } from '../../../../../src/core/changes/content-hash.ts';

type Observation = Parameters<typeof hashContent>[0];

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
const observation: Observation = {
  format: 'Text',
  text,
  variants: [image, variant('<p>second</p>', 250, 300)],
};

/** A preview of the Transparency Center: its two nonces differ in every reply. */
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

test('a content hash has 64 hexadecimal digits and is stable across releases', () => {
  expect(hashContent(observation)).toBe(hashContent({ ...observation }));
  expect(hashContent({ format: null, text: null, variants: [] })).toBe(
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
  ['before more parameters', (url: string) => `${url}&assets=%3DH4sIAAAAAAAAAOMSYA&overlay=1`],
  ['within another URL', (url: string) => `https://proxy.example/?u=${encodeURIComponent(url)}&x=1`],
  ['in JSON', (url: string) => JSON.stringify({ url }).replaceAll('&', '\\u0026')],
])('a content hash ignores the nonces of a preview URL, but not its creative: %s', (_where, write) => {
  const hash = (url: string) => hashContent({ ...observation, variants: [variant(write(url))] });
  expect(hash(preview(first))).toBe(hash(preview(second)));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { creativeId: '814966860924' })));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { versionId: '2' })));
  expect(hash(preview(first))).not.toBe(hash(preview(first, { sig: 'other' })));
});

test('a content hash includes parameters after a nonce', () => {
  const hash = (url: string) => hashContent({ ...observation, variants: [variant(url)] });
  expect(hash(`${preview(first)}&assets=1`)).not.toBe(hash(`${preview(first)}&assets=2`));
});

test('a content hash ignores the order of variants and duplicate variants', () => {
  const [one, other] = observation.variants;
  if (one === undefined || other === undefined) throw new Error('The observation has two variants.');
  expect(hashContent({ ...observation, variants: [other, one] })).toBe(hashContent(observation));
  expect(hashContent({ ...observation, variants: [one, other, one] })).toBe(hashContent(observation));
  expect(hashContent({ ...observation, variants: [one] })).not.toBe(hashContent(observation));
});

test('a content hash ignores white space around a rendering, and the type of a text ad', () => {
  expect(
    hashContent({
      ...observation,
      variants: observation.variants.map((each) => ({ ...each, content: ` ${each.content}\n` })),
    }),
  ).toBe(hashContent(observation));
  expect(hashContent({ ...observation, text: { ...text, adType: 'y' } })).toBe(hashContent(observation));
});

const changes: readonly (readonly [string, Observation])[] = [
  ['format', { ...observation, format: 'Image' }],
  ['headline', { ...observation, text: { ...text, headline: 'Sell' } }],
  ['description', { ...observation, text: { ...text, description: null } }],
  ['display URL', { ...observation, text: { ...text, displayUrl: 'acme.de' } }],
  ['final URL', { ...observation, text: { ...text, finalUrl: 'https://acme.com/b' } }],
  ['content', { ...observation, variants: [variant('<p>third</p>')] }],
  ['height', { ...observation, variants: observation.variants.map((each) => ({ ...each, height: 1 })) }],
  ['width', { ...observation, variants: observation.variants.map((each) => ({ ...each, width: null })) }],
  ['order of texts', { ...observation, text: { ...text, headline: 'Now', description: 'Buy' } }],
];

test.each(changes)('a content hash depends on the %s', (_name, changed) => {
  expect(hashContent(changed)).not.toBe(hashContent(observation));
});

function variant(content: string, height: number | null = 209, width: number | null = 348): Variant {
  return { content, height, width };
}

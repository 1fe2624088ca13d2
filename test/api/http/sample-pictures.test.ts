import { describe, expect, test } from 'vitest';
import { sampleRows } from '../../../src/core/sample/sample-ads.ts';
import { pictureOf } from '../../../src/reporter/documents/model/picture.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const api = useTestApi();
const [ad] = sampleRows('2026-11-27');
const path = pictureOf(ad?.content?.variants[0]?.content ?? '')?.href ?? '';

describe('picture of the sample', () => {
  test('is an image for everybody, which may run and load nothing', async () => {
    const { status, headers, text } = await api().call('GET', path);
    expect(status).toBe(200);
    expect(text).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=86400',
    });
    expect((await api().call('GET', path)).text).toBe(text);
  });

  test.each(['CR00000000000000000001-0.svg', 'nothing.svg', '%2e%2e%2ficon.svg', 'CR1-0.svg'])(
    'without such an ad is not found: %s',
    async (name) => {
      const answer = await api().call('GET', `/sample-creatives/${name}`);
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    },
  );

  test('is named by its ad in the API', async () => {
    const key = await api().createKey();
    const found = await api().call('POST', '/v1/ads/google-ads-search', {
      key,
      json: { company_domain: 'nike.com' },
    });
    const { ads } = found.json() as { ads: readonly { variants: readonly { content: string }[] }[] };
    const pictures = ads.map(({ variants }) => pictureOf(variants[0]?.content ?? '')?.href ?? '');
    const answers = await Promise.all(pictures.map((each) => api().call('GET', each)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.length).toBeGreaterThan(10);
  });
});

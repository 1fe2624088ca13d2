import { describe, expect, test } from 'vitest';
import { useTestApi } from '../../support/api/test-api.ts';

const path = '/v1/ads/google-ads-search';

interface Body {
  readonly company_name: string;
  readonly ads: readonly Readonly<Record<string, unknown>>[];
  readonly ads_count: number;
  readonly credits_consumed: number;
  readonly message: string;
  readonly match?: string;
}

describe('POST /v1/ads/google-ads-search', () => {
  const api = useTestApi();

  async function search(json: object, headers: Readonly<Record<string, string>> = {}) {
    const key = await api().createKey();
    const answer = await api().call('POST', path, { key, json, headers });
    return { answer, body: answer.json() as Body };
  }

  test('§4.1.1 with ads found: 200, the ads, 0.2 credits as a JSON number, "Ads found."', async () => {
    const before = await api().balance();
    const { answer, body } = await search({ company_domain: 'nike.com' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({ credits_consumed: 0.2, message: 'Ads found.' });
    expect(body.ads.length).toBeGreaterThan(0);
    expect(answer.text).toContain('"credits_consumed":0.2');
    const after = await api().balance();
    expect([before.balanceMicro - after.balanceMicro, after.heldMicro]).toEqual([200_000n, 0n]);
  });

  test('§4.1.2 with none found: 200, ads is empty, free, "No ads found for this company."', async () => {
    const before = await api().balance();
    const { answer, body } = await search({ company_domain: 'no-such-company-anywhere.com' });
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({
      ads: [],
      ads_count: 0,
      credits_consumed: 0,
      message: 'No ads found for this company.',
    });
    expect(await api().balance()).toEqual(before);
  });

  test('§2.2 has the common fields, company_name of shape A and ads_count of shape B', async () => {
    const { body } = await search({ company_domain: 'nike.com' });
    expect(body).toMatchObject({
      company_name: expect.any(String) as string,
      ads: expect.any(Array) as unknown[],
      ads_count: body.ads.length,
      credits_consumed: expect.any(Number) as number,
      message: expect.any(String) as string,
    });
  });

  test('§2.2 gives ids as the platform writes them, also to a client that does not know platform', async () => {
    const { body } = await search({ company_domain: 'nike.com' });
    for (const {
      advertiser_id: advertiser,
      creative_id: creative,
      original_url: page,
      platform,
    } of body.ads) {
      expect([advertiser, creative]).toEqual([
        expect.stringMatching(/^AR\d+$/),
        expect.stringMatching(/^CR\d+$/),
      ]);
      expect(page).toContain(`/advertiser/${String(advertiser)}/creative/${String(creative)}`);
      expect(platform).toBe('google');
    }
  });

  test('§2.2 gives every ad the fields of shape B, in their types', async () => {
    const { body } = await search({ company_domain: 'nike.com' });
    for (const ad of body.ads) {
      expect(ad).toMatchObject({
        advertiser_id: expect.any(String) as string,
        creative_id: expect.any(String) as string,
        original_url: expect.stringMatching(/^https:\/\//) as string,
        variants: expect.any(Array) as unknown[],
        start: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
        last_seen: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
        advertiser_name: expect.any(String) as string,
        format: expect.any(String) as string,
      });
    }
  });

  test.each([
    ['§2.1 the domain alone is enough', { company_domain: 'nike.com' }, 'Nike, Inc.'],
    ['§2.1 the name alone is enough', { company_name: 'Nike, Inc.' }, 'Nike, Inc.'],
    ['§2.1 domain and name may be combined', { company_domain: 'nike.com', company_name: 'Nike' }, 'Nike'],
    [
      'our choice: a blank field is ignored',
      { company_domain: ' ', company_name: 'Nike, Inc.' },
      'Nike, Inc.',
    ],
    ['our choice: unknown fields are ignored', { company_domain: 'nike.com', limit: 3 }, 'Nike, Inc.'],
    [
      'our choice: a URL is accepted as a domain',
      { company_domain: 'https://www.nike.com/de/' },
      'Nike, Inc.',
    ],
  ])('%s', async (_case, json, name) => {
    const { answer, body } = await search(json);
    expect([answer.status, body.company_name, body.message]).toEqual([200, name, 'Ads found.']);
  });

  test('our choice: marks a company that no source can identify as no_match, free', async () => {
    const { answer, body } = await search({ company_name: 'Qwxyz Unheard Of Holdings' });
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({ ads: [], credits_consumed: 0, match: 'no_match' });
  });

  test('§8 charges one credit for five searches that find ads', async () => {
    const before = await api().balance();
    for (let n = 0; n < 5; n += 1) await search({ company_domain: 'nike.com' });
    expect(before.balanceMicro - (await api().balance()).balanceMicro).toBe(1_000_000n);
  });

  test('returns its request id, which is stored with the lookup', async () => {
    const { answer } = await search({ company_domain: 'nike.com' });
    const requestId = answer.headers.get('x-request-id');
    const found = await api().database.owner.pool.query(
      'SELECT 1 FROM nightshift.all_lookups WHERE request_id = $1',
      [requestId],
    );
    expect(found.rowCount).toBe(1);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

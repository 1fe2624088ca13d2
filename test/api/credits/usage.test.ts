import { beforeAll, describe, expect, test, vi } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/credits/usage';
const searchPath = '/v1/ads/google-ads-search';

describe('GET /v1/credits/usage', () => {
  const api = useTestApi({ workers: true });
  let key = '';
  let batches: readonly string[] = [];
  const nothing = { none: 0, no_match: 0, unknown: 0, failed: 0, cancelled: 0, repeated: 0, no_price: 0 };

  beforeAll(async () => {
    await api().createAccount('spender', 5n);
    key = await api().createKey({ account: 'spender' });
    batches = [await finish(['nike.com', 'no-such-company.com']), await finish(['nike.com', 'zalando.de'])];
    await api().call('POST', searchPath, { key, json: { company_domain: 'zalando.de' } });
    await api().call('POST', searchPath, { key, json: { company_domain: 'nobody-has-this.com' } });
    await api().call('POST', '/v1/people/email-validation', { key, json: { email: 'not an address' } });
  });

  test('by operation returns charged and free lookups, with the reason', async () => {
    expect(await read('by=operation')).toEqual({
      ...{ by: 'operation', from: null, to: null, time_zone: 'UTC', next: null },
      usage: [
        {
          ...line,
          operation: 'ads_search',
          ...{ lookups: 6, charged: 4, credits: 0.8 },
          free: { total: 2, ...nothing, no_match: 2 },
        },
        {
          ...line,
          operation: 'email_validation',
          ...{ lookups: 1, charged: 0, credits: 0 },
          free: { total: 1, ...nothing, no_price: 1 },
        },
      ],
    });
    expect((await read('by=operation&operation=ads_search')).usage).toHaveLength(1);
  });

  test('by batch returns each batch, and the rest last', async () => {
    const { usage, next } = await read('by=batch&time_zone=Asia/Tokyo');
    expect(next).toBeNull();
    expect(
      usage.map(({ batch, file_name: name, charged, free }) => [batch, name, charged, free.total]),
    ).toEqual([
      [batches[1], 'upload.csv', 2, 0],
      [batches[0], 'upload.csv', 1, 1],
      [null, null, 1, 2],
    ]);
  });

  test.each([1, 2, 3])('by batch returns every line once in pages of %i', async (limit) => {
    const { usage: whole } = await read('by=batch');
    const lines: Line[] = [];
    for (let after = ''; ;) {
      const page = await read(`by=batch&limit=${limit}${after}`);
      lines.push(...page.usage);
      if (page.next === null) break;
      expect(page.usage).toHaveLength(limit);
      after = `&after=${page.next}`;
    }
    expect(lines).toEqual(whole);
  });

  test('by day returns the last thirty days in the time zone by default', async () => {
    const { from, to, usage } = await read('by=day&time_zone=Pacific/Kiritimati');
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(29 * 86_400_000);
    expect(usage.reduce((sum, { lookups }) => sum + lookups, 0)).toBe(7);
    expect(usage.every(({ day }) => day !== null && day >= (from ?? '') && day <= (to ?? ''))).toBe(true);
    expect(await read('by=day&from=2020-01-01&to=2020-12-31')).toMatchObject({ usage: [], next: null });
  });

  test('does not include other accounts, and rejects a cursor at a batch of another account', async () => {
    await api().createAccount('other');
    const other = await api().createKey({ account: 'other' });
    for (const by of ['day', 'batch', 'operation']) {
      const answer = await api().call('GET', `${path}?by=${by}`, { key: other });
      expect((answer.json() as Page).usage).toEqual([]);
    }
    const answer = await api().call('GET', `${path}?by=batch&after=${batches[1]}`, { key: other });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test.each([
    '',
    'by=week',
    'by=day&from=2026-02-30',
    'by=day&from=1969-12-31',
    'by=day&to=2200-01-01',
    'by=day&from=2026-03-02&to=2026-03-01',
    'by=day&from=2025-01-01&to=2026-01-02',
    'by=day&time_zone=Mars/Base',
    'by=day&after=x',
    'by=operation&after=x',
    'by=batch&after=nonsense',
    'by=batch&limit=0',
    'by=batch&limit=1001',
    'by=day&operation=guessing',
    'by=day&batch=x',
  ])('returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('requires the scope credits:read', async () => {
    const other = await api().createKey({ scopes: ['batches:read', 'batches:write', 'admin'] });
    expect((await api().call('GET', `${path}?by=day`, { key: other })).status).toBe(403);
    expect((await api().call('GET', `${path}?by=day`)).status).toBe(401);
  });

  async function read(query: string): Promise<Page> {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect([answer.status, query]).toEqual([200, query]);
    return answer.json() as Page;
  }

  async function finish(companies: readonly string[]): Promise<string> {
    const headers = { 'Content-Type': 'text/csv' };
    const body = `website\n${companies.join('\n')}\n`;
    const { id } = (await api().call('POST', '/v1/batches', { key, headers, body })).json() as {
      id: string;
    };
    await vi.waitFor(
      async () => {
        const batch = await api().call('GET', `/v1/batches/${id}`, { key });
        expect(batch.json()).toMatchObject({ state: 'finished' });
      },
      { timeout: waitMsMax },
    );
    return id;
  }
});

const line = { day: null, batch: null, file_name: null, operation: null };

interface Line {
  readonly day: string | null;
  readonly batch: string | null;
  readonly file_name: string | null;
  readonly lookups: number;
  readonly charged: number;
  readonly free: { readonly total: number };
}

interface Page {
  readonly from: string | null;
  readonly to: string | null;
  readonly usage: readonly Line[];
  readonly next: string | null;
}

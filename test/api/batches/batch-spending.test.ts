import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';

/** DataForSEO without ads: each answer costs a unit of 0.002 USD, and may cost three. */
let vendor: Awaited<ReturnType<typeof openDataForSeo>>;
let api: TestApi;
beforeAll(async () => {
  vendor = await openDataForSeo({ ads: () => [], candidates: () => null });
  const settings = {
    NIGHTSHIFT_DATAFORSEO_LOGIN: login,
    NIGHTSHIFT_DATAFORSEO_PASSWORD: password,
    NIGHTSHIFT_DATAFORSEO_URL: vendor.url,
    NIGHTSHIFT_DATAFORSEO_REQUESTS_PER_SECOND: '1000',
  };
  api = await openTestApi({ settings, workers: true });
  await api.createAccount('owner', 100n);
});
afterAll(async () => {
  await api.close();
  await vendor.close();
});

interface Batch {
  readonly id: string;
  readonly state: string;
  readonly max_spend: string | null;
  readonly wait: { readonly cause: string | null; readonly bound: string | null } | null;
}

const rows = Array.from({ length: 10 }, (_, i) => ({ domain: `bounded${i}.com` }));

test('a cap stops the calls of a batch before their cost passes it, and a larger one continues it', async () => {
  const key = await api.createKey({ account: 'owner' });
  const json = { rows, source: ['dataforseo'], max_spend: '0.01 USD' };
  const created = await api.call('POST', '/v1/batches', { key, json });
  expect(created.status, created.text).toBe(201);
  const { id, max_spend: cap } = created.json() as Batch;
  expect(cap).toBe('0.01 USD');
  const read = async () => (await api.call('GET', `/v1/batches/${id}`, { key })).json() as Batch;

  await vi.waitFor(async () => expect((await read()).state).toBe('waiting_for_source'), { timeout: 60_000 });
  expect(await read()).toMatchObject({ wait: { cause: 'batch_spend', bound: '0.01 USD' } });
  expect(vendor.calls.length).toBeGreaterThan(0);
  expect(vendor.calls.length * 0.002).toBeLessThanOrEqual(0.01);

  const resumed = await api.call('POST', `/v1/batches/${id}/resume`, {
    key,
    json: { max_spend: '0.05 USD' },
  });
  expect(resumed.status, resumed.text).toBe(200);
  await vi.waitFor(async () => expect((await read()).state).toBe('finished'), { timeout: 60_000 });
  expect(await read()).toMatchObject({ max_spend: '0.05 USD', wait: null });
  expect(vendor.calls).toHaveLength(10);
});

test('a cap in another currency than that of the price is rejected, before anything is stored', async () => {
  const key = await api.createKey({ account: 'owner' });
  const before = await api.countRows();
  const json = { rows, source: ['dataforseo'], max_spend: '5 EUR' };
  const answer = await api.call('POST', '/v1/batches', { key, json });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('max_spend 5EUR: dataforseo has its price in USD');
  const after = await api.countRows();
  expect(after['batches']).toBe(before['batches']);
});

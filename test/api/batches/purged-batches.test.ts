import { beforeAll, describe, expect, test, vi } from 'vitest';
import { purgeKinds } from '../../../src/core/purge/purge-kinds.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { codesOf, useTestApi, type Answer } from '../../support/api/test-api.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/batches';
const formats = ['csv', 'ndjson', 'json', 'parquet', 'xlsx'] as const;

interface BatchBody {
  readonly id: string;
  readonly state: string;
  readonly purged_at: string | null;
  readonly rows: unknown;
  readonly lookups: unknown;
  readonly emails: unknown;
  readonly credits: unknown;
}

describe('purged batch', () => {
  const api = useTestApi({ workers: true });
  let old = '';
  let young = '';
  let key = '';
  let before: BatchBody | undefined;
  let exportBefore = '';

  async function upload(list: string): Promise<string> {
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await api().call('POST', path, { key, headers, body: list });
    expect(answer.status).toBe(201);
    const { id } = answer.json() as BatchBody;
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('finished'), { timeout: waitMsMax });
    return id;
  }

  async function stateOf(id: string): Promise<string> {
    return ((await get(`/${id}`)).json() as BatchBody).state;
  }

  function get(rest: string): Promise<Answer> {
    return api().call('GET', `${path}${rest}`, { key });
  }

  beforeAll(async () => {
    key = await api().createKey();
    old = await upload('website\nnike.com\nspotify.com\n');
    before = (await get(`/${old}`)).json() as BatchBody;
    await ageRecord(api().database, 40);
    young = await upload('website,note\nnike.com,again\n');
    exportBefore = (await get(`/${young}/export?format=ndjson&shape=variants`)).text;
    const orders = purgeKinds.map((kind) => ({ kind, ageMs: 30 * 86_400_000 }));
    await purge(api().app.work.purges, { orders });
  });

  test('has the time of its purge, with its counts and credits', async () => {
    expect(before).toMatchObject({ purged_at: null, rows: { total: 2 }, lookups: { found: 2, total: 2 } });
    const body = (await get(`/${old}`)).json() as BatchBody;
    expect(body.purged_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    const { rows, lookups, emails, credits } = before ?? {};
    expect(body).toMatchObject({ rows, lookups, emails, credits });
  });

  test.each(formats)('returns 409 for an export as %s, without a file', async (format) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await api().call(method, `${path}/${old}/export?format=${format}`, { key });
      expect(answer.status).toBe(409);
      expect(answer.headers.get('content-disposition')).toBeNull();
      if (method === 'GET') expect(answer.text).toContain(`${old} was purged on `);
    }
  });

  test('returns 409 for its rows and for a retry', async () => {
    const answers = [
      await get(`/${old}/rows`),
      await api().call('POST', `${path}/${old}/retry`, { key, json: {} }),
    ];
    for (const answer of answers) {
      expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
      expect(answer.text).toContain('Load the file again');
    }
  });

  test('is not visible to another account', async () => {
    await api().createAccount('other');
    const theirs = await api().createKey({ account: 'other' });
    for (const rest of ['', '/rows', '/export', '/export?format=xlsx']) {
      const answer = await api().call('GET', `${path}/${old}${rest}`, { key: theirs });
      expect([rest, answer.status, codesOf(answer)]).toEqual([rest, 404, ['not_found']]);
    }
  });

  test('has no ads in GET /v1/ads; ads of other batches are listed and exported unchanged', async () => {
    const ads = (await api().call('GET', '/v1/ads?limit=100', { key })).json() as {
      ads: readonly { readonly batch: string }[];
    };
    expect(new Set(ads.ads.map(({ batch }) => batch))).toEqual(new Set([young]));
    expect((await get(`/${young}/export?format=ndjson&shape=variants`)).text).toBe(exportBefore);
    expect(exportBefore.length).toBeGreaterThan(100);
  });

  test('violates no invariant', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

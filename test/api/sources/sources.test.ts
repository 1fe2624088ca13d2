import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceIds } from '../../../src/sources/registry.ts';
import { signInAs, type SessionCall } from '../../support/api/session-calls.ts';
import { codesOf, openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

let standIn: SourceStandIn;
let api: TestApi;
let operator: SessionCall;

beforeAll(async () => {
  standIn = await openSourceStandIn({
    ads: (company) => (company === 'no-ads.com' ? [] : generateAds(company, 2)),
  });
  api = await openTestApi({
    settings: {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: standIn.url,
      NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
      NIGHTSHIFT_UPSTREAM_CALLS_PER_DAY: '500',
    },
  });
  operator = await signInAs(api, 'operator');
});
afterAll(async () => {
  await api.close();
  await standIn.close();
});

interface Source {
  readonly name: string;
  readonly configured: boolean;
  readonly lacks: string | null;
  readonly is_default: boolean;
  readonly has_regions: boolean;
  readonly price: { readonly amount: number; readonly currency: string; readonly unit: string } | null;
  readonly limits: { readonly calls_per_day: number | null } | null;
  readonly pause: { readonly kind: string } | null;
  readonly live: { readonly outcome: string } | null;
}

async function list(call: SessionCall): Promise<ReadonlyMap<string, Source>> {
  const answer = await call('GET', '/v1/sources');
  expect(answer.status, answer.text).toBe(200);
  const { sources } = answer.json() as { readonly sources: readonly Source[] };
  return new Map(sources.map((source) => [source.name, source]));
}

const smoke = (call: SessionCall, json: object, name = 'upstream') =>
  call('POST', `/v1/operator/sources/${name}/smoke-tests`, { json });

describe('GET /v1/sources', () => {
  test('returns all sources with state and price, and to operators what is missing and the limits', async () => {
    const sources = await list(operator);
    expect([...sources.keys()]).toEqual(sourceIds);
    expect(sources.get('upstream')).toMatchObject({
      configured: true,
      lacks: null,
      is_default: true,
      has_regions: false,
      limits: { calls_per_day: 500 },
      pause: null,
    });
    expect(sources.get('serpapi')).toMatchObject({
      configured: false,
      is_default: false,
      price: { amount: 1, currency: 'searches', unit: 'page of up to 100 ads' },
      limits: null,
    });
    expect(sources.get('transparency')).toMatchObject({ charges: false, price: null });
    expect(sources.get('serpapi')?.lacks).toContain('NIGHTSHIFT_SERPAPI_KEY');
    expect(sources.get('sample')).toMatchObject({ configured: true, price: null, has_regions: true });
  });

  test('returns neither settings nor limits to other roles', async () => {
    const sources = await list(await signInAs(api, 'viewer'));
    expect([...sources.values()].filter(({ lacks, limits }) => lacks !== null || limits !== null)).toEqual(
      [],
    );
    expect(sources.get('serpapi')).toMatchObject({ configured: false, price: { currency: 'searches' } });
    const key = await api.createKey({ scopes: ['ads:search'] });
    expect((await api.call('GET', '/v1/sources', { key })).status).toBe(403);
  });

  test('returns the pause of a source', async () => {
    await api.database.owner.pool.query(
      `INSERT INTO nightshift.source_states (bucket, source, paused_until, pause_reason, pause_kind)
        VALUES ('test', 'serpapi', now() + interval '1 hour', 'Invalid API key', 'refused')`,
    );
    expect((await list(operator)).get('serpapi')?.pause).toMatchObject({
      kind: 'refused',
      reason: 'Invalid API key',
    });
  });
});

describe('POST /v1/operator/sources/{name}/smoke-tests', () => {
  test('sends one request, compares the keys, and stores and charges the result', async () => {
    const calls = standIn.log.length;
    const { balanceMicro } = await api.balance();
    const answer = await smoke(operator, { company_domain: 'acme.com' });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { source: 'upstream', outcome: 'found', reason: null, compared: true, missing: [], added: [] },
    ]);
    expect(standIn.log.length).toBe(calls + 1);
    expect((await api.balance()).balanceMicro).toBe(balanceMicro - 200_000n);
    expect((await list(operator)).get('upstream')?.live).toMatchObject({ outcome: 'found' });
  });

  test('compares and stores nothing for a company without ads', async () => {
    await api.database.owner.pool.query('DELETE FROM nightshift.source_smokes');
    const answer = await smoke(operator, { company_domain: 'no-ads.com' });
    expect(answer.json()).toMatchObject({ outcome: 'none', compared: false });
    expect((await list(operator)).get('upstream')?.live).toBeNull();
  });

  test.each([
    ['an unknown source', 'nothing', { company_domain: 'acme.com' }, 404, 'not_found'],
    ['data of the installation', 'sample', { company_domain: 'acme.com' }, 404, 'not_found'],
    ['an invalid domain', 'upstream', { company_domain: 'not a domain' }, 400, 'validation_error'],
    ['no domain', 'upstream', {}, 400, 'validation_error'],
    ['a source that is not set up', 'dataforseo', { company_domain: 'acme.com' }, 400, 'validation_error'],
  ])('rejects %s', async (_, name, json, status, code) => {
    const answer = await smoke(operator, json, name);
    expect([answer.status, codesOf(answer)]).toEqual([status, [code]]);
  });

  test('is for the sessions of operators', async () => {
    const admin = await signInAs(api, 'admin');
    expect((await smoke(admin, { company_domain: 'acme.com' })).status).toBe(403);
    const key = await api.createKey();
    const answer = await api.call('POST', '/v1/operator/sources/upstream/smoke-tests', {
      key,
      json: { company_domain: 'acme.com' },
    });
    expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
  });
});

test('a dry run rejects a search that the default sources do not support, like the upload', async () => {
  const key = await api.createKey();
  const rows = [{ company_domain: 'acme.com' }];
  for (const dry_run of [true, false]) {
    const answer = await api.call('POST', '/v1/batches', { key, json: { rows, region: 'DE', dry_run } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('the source upstream cannot search by region');
  }
});

import { describe, expect, test } from 'vitest';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { codesOf, useTestApi, type Answer } from '../../support/api/test-api.ts';
import { exportedLines, uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { insertCandidates, makeCandidate } from '../../support/companies/candidates.ts';

interface Listed {
  readonly columns: readonly string[];
  readonly companies: readonly {
    readonly company_domain: string | null;
    readonly company_name: string | null;
    readonly state: string;
    readonly row: { readonly row: number; readonly line: number; readonly cells: readonly string[] } | null;
    readonly mapping: readonly unknown[];
    readonly candidates: readonly {
      readonly advertiser_id: string;
      readonly advertiser_name: string | null;
      readonly confidence: number;
      readonly reasons: readonly unknown[];
      readonly source: string;
    }[];
  }[];
  readonly counts: { readonly open: number; readonly mapped: number; readonly denied: number };
  readonly credits_max: number;
  readonly next: string | null;
}

const file = [
  'company,website,owner',
  'Acme Rockets,acme-rockets.com,Dana',
  'Nike,nike.com,Dana',
  'Nowhere at all,,Tom',
  'Rockets,https://www.acme-rockets.com/de,Jonas',
  'Swoosh Spotify Fans,,Priya',
  '',
].join('\n');

describe.each(['postgres', 'redis'] as const)('companies not identified, with the queue on %s', (queue) => {
  const api = useTestApi({ workers: true, queue });

  async function list(key: string, id: string, query = ''): Promise<Listed> {
    const answer = await api().call('GET', `/v1/batches/${id}/unidentified${query}`, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as Listed;
  }

  const map = (key: string, json: object) => api().call('POST', '/v1/companies/mapping', { key, json });
  const retry = (key: string, id: string, json: object = { mapped: true }) =>
    api().call('POST', `/v1/batches/${id}/retry`, { key, json });

  async function sampleId(name: string): Promise<string> {
    const { rows } = await api().database.owner.pool.query<{ advertiser_id: string }>(
      'SELECT advertiser_id FROM nightshift.advertisers WHERE disclosed_name = $1',
      [name],
    );
    return fullId(rows[0]?.advertiser_id ?? '');
  }

  async function open(account: string) {
    await api().createAccount(account, 10n);
    const key = await api().createKey({ account });
    const id = await uploadBatch(api(), key, file);
    await waitForState(api(), key, id, 'finished');
    return { key, id };
  }

  test('are listed with rows and candidates, mapped, looked up again, and charged once', async () => {
    const { key, id } = await open('mapper');
    const before = await list(key, id);
    expect(before).toMatchObject({
      columns: ['company', 'website', 'owner'],
      counts: { open: 3, mapped: 0, denied: 0 },
      credits_max: 0,
      next: null,
    });
    const rows = before.companies.map((each) => [
      each.company_domain ?? each.company_name,
      each.state,
      each.row,
    ]);
    expect(rows).toEqual([
      ['acme-rockets.com', 'open', { row: 1, line: 2, cells: ['Acme Rockets', 'acme-rockets.com', 'Dana'] }],
      ['Nowhere at all', 'open', { row: 3, line: 4, cells: ['Nowhere at all', '', 'Tom'] }],
      ['Swoosh Spotify Fans', 'open', { row: 5, line: 6, cells: ['Swoosh Spotify Fans', '', 'Priya'] }],
    ]);
    const suggested = before.companies[2]?.candidates ?? [];
    expect(suggested.map(({ advertiser_name: name }) => name)).toContain('Spotify AB');
    expect(suggested[0]).toMatchObject({ source: 'sample', reasons: expect.any(Array) as unknown });
    expect(before.companies[1]?.candidates).toEqual([]);

    const page = await list(key, id, '?limit=2');
    expect(page.companies).toHaveLength(2);
    expect((await list(key, id, `?limit=2&after=${page.next}`)).companies).toEqual([before.companies[2]]);

    expect((await retry(key, id)).json()).toMatchObject({ state: 'finished', retried: 0 });
    const ikea = await sampleId('IKEA');
    await map(key, { company_domain: 'acme-rockets.com', advertiser_id: ikea });
    const denied = await api().call('POST', '/v1/companies/decisions', {
      key,
      json: {
        company_name: 'Swoosh Spotify Fans',
        advertiser_id: await sampleId('Spotify AB'),
        role: 'deny',
      },
    });
    expect(denied.json()).toMatchObject({
      role: 'deny',
      note: expect.stringMatching(/^Reviewed: Spotify AB, 2% own/) as unknown,
    });
    const mapped = await list(key, id);
    expect(mapped).toMatchObject({ counts: { open: 1, mapped: 1, denied: 1 }, credits_max: 0.2 });
    expect(mapped.companies[0]).toMatchObject({
      state: 'mapped',
      mapping: [{ advertiser_id: ikea, role: 'allow' }],
    });
    expect((await list(key, id, '?state=denied')).companies).toMatchObject([
      { company_name: 'Swoosh Spotify Fans' },
    ]);
    expect((await list(key, id, '?state=open')).companies).toMatchObject([
      { company_name: 'Nowhere at all' },
    ]);

    expect((await retry(key, id)).json()).toMatchObject({
      state: 'running',
      retried: 1,
      in_doubt_left: 0,
      lookups: { total: 4, no_match: 2, open: 1 },
    });
    await waitForState(api(), key, id, 'finished');
    const batch = (await api().call('GET', `/v1/batches/${id}`, { key })).json();
    expect(batch).toMatchObject({
      lookups: { total: 4, found: 2, no_match: 2, failed: 0, open: 0 },
      credits: { charged: 0.4 },
    });
    const lines = await exportedLines(api(), key, id);
    expect(
      lines.map(({ ads_outcome: outcome, ads_credits_consumed: credits }) => [outcome, Number(credits)]),
    ).toEqual([
      ['found', 0.2],
      ['found', 0.2],
      ['no_match', 0],
      ['found', 0],
      ['no_match', 0],
    ]);
    expect(await list(key, id)).toMatchObject({ counts: { open: 1, mapped: 0, denied: 1 } });
    expect((await retry(key, id)).json()).toMatchObject({ state: 'finished', retried: 0 });
    expect((await api().balance('mapper')).heldMicro).toBe(0n);
    expect(await api().findings()).toEqual([]);
  });

  test('show candidates that a lookup reported before those of the data set, without mapped ones', async () => {
    const { key, id } = await open('reported');
    const accountId = await api().app.accounts.store.find('reported');
    const companyKey = 'd:acme-rockets.com';
    await insertCandidates(
      { DATABASE_URL: api().database.url },
      makeCandidate(1, { accountId, companyKey, source: 'serpapi', confidence: 0.3 }),
      makeCandidate(2, { accountId, companyKey, source: 'serpapi', confidence: 0.8 }),
      makeCandidate(3, { accountId, companyKey, source: 'serpapi', confidence: 0.9 }),
      makeCandidate(4, { companyKey, confidence: 0.9 }),
    );
    await map(key, {
      company_domain: 'acme-rockets.com',
      advertiser_id: makeCandidate(3).advertiserId,
      role: 'deny',
    });
    const [company] = (await list(key, id)).companies;
    expect(company?.candidates.map(({ advertiser_id: each, source }) => [each, source])).toEqual([
      [makeCandidate(2).advertiserId, 'serpapi'],
      [makeCandidate(1).advertiserId, 'serpapi'],
    ]);
  });

  test('are looked up again only if the sources of the batch can search an advertiser of the mapping', async () => {
    const { key, id } = await open('elsewhere');
    await map(key, { company_domain: 'acme-rockets.com', advertiser_id: 'meta:123' });
    const rejected = await retry(key, id);
    expect([rejected.status, codesOf(rejected)]).toEqual([409, ['conflict']]);
    expect(rejected.text).toContain(
      'mapped to advertisers of meta, and its sources (sample) cannot search them.',
    );
    expect(rejected.text).toContain('load the file again with a source of meta');
    await map(key, { company_name: 'Nowhere at all', advertiser_id: await sampleId('IKEA') });
    expect((await retry(key, id)).json()).toMatchObject({ state: 'running', retried: 1 });
    await waitForState(api(), key, id, 'finished');
    expect((await api().call('GET', `/v1/batches/${id}`, { key })).json()).toMatchObject({
      lookups: { total: 4, found: 2, no_match: 2, open: 0 },
    });
    expect(await api().findings()).toEqual([]);
  });

  test('are dismissed without a candidate, and wait again after an undo or a change of the mapping', async () => {
    const { key, id } = await open('dismisses');
    const other = await open('dismisses-too');
    const dismiss = (json: object, by = key) =>
      api().call('POST', '/v1/companies/dismissals', { key: by, json });
    const nowhere = { company_name: 'Nowhere at all' };
    const answer = await dismiss(nowhere);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { company_domain: null, company_name: 'Nowhere at all', dismissed: true },
    ]);
    expect((await dismiss(nowhere)).status).toBe(200);
    const denied = await list(key, id, '?state=denied');
    expect(denied).toMatchObject({
      counts: { open: 2, mapped: 0, denied: 1 },
      companies: [{ ...nowhere, state: 'denied', dismissed: true, mapping: [] }],
    });
    expect(await list(other.key, other.id)).toMatchObject({ counts: { open: 3, denied: 0 } });
    // Nothing is looked up again, and earlier answers stay valid.
    expect((await retry(key, id)).json()).toMatchObject({ retried: 0 });
    await dismiss({ ...nowhere, dismissed: false });
    expect(await list(key, id)).toMatchObject({ counts: { open: 3, denied: 0 } });
    await dismiss(nowhere);
    const ikea = await sampleId('IKEA');
    await map(key, { ...nowhere, advertiser_id: ikea });
    expect(await list(key, id)).toMatchObject({ counts: { open: 2, mapped: 1, denied: 0 } });
    const query = `company_name=Nowhere%20at%20all&advertiser_id=${ikea}`;
    await api().call('DELETE', `/v1/companies/mapping?${query}`, { key });
    expect(await list(key, id)).toMatchObject({ counts: { open: 3, mapped: 0, denied: 0 } });

    const { rows } = await api().database.owner.pool.query<{ details: object }>(
      "SELECT details FROM nightshift.audit_log WHERE event = 'company_dismissed' ORDER BY id LIMIT 1",
    );
    expect(rows[0]?.details).toEqual({ company_key: 'n:nowhere at all', dismissed: true });
    for (const json of [
      {},
      { company_domain: '127.0.0.1' },
      { ...nowhere, dismissed: 'yes' },
      { ...nowhere, x: 1 },
    ])
      expect((await dismiss(json)).status).toBe(400);
    const reader = await api().createKey({ account: 'dismisses', scopes: ['batches:read'] });
    expect((await dismiss(nowhere, reader)).status).toBe(403);
    expect(await api().findings()).toEqual([]);
  });

  test('are not looked up again by another account, a reader, or with options that exclude each other', async () => {
    const { key, id } = await open('owner');
    await map(key, { company_name: 'Nowhere at all', advertiser_id: await sampleId('IKEA') });
    await api().createAccount('stranger');
    const theirs = await api().createKey({ account: 'stranger' });
    await map(theirs, { company_domain: 'acme-rockets.com', advertiser_id: await sampleId('IKEA') });
    const foreign = await api().call('GET', `/v1/batches/${id}/unidentified`, { key: theirs });
    expect([foreign.status, (await retry(theirs, id)).status]).toEqual([404, 404]);
    const reader = await api().createKey({ account: 'owner', scopes: ['batches:read'] });
    expect(await list(reader, id)).toMatchObject({ counts: { open: 2, mapped: 1 } });
    expect((await retry(reader, id)).status).toBe(403);
    for (const json of [
      { mapped: true, in_doubt: true },
      { mapped: true, reparse: true },
    ]) {
      const rejected: Answer = await retry(key, id, json);
      expect([rejected.status, codesOf(rejected)]).toEqual([400, ['validation_error']]);
    }
    for (const query of ['?state=found', '?limit=101', '?after=x', '?q=nike']) {
      const answer = await api().call('GET', `/v1/batches/${id}/unidentified${query}`, { key });
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });
});

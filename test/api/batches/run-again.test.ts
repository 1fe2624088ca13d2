import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const api = useTestApi();

interface Batch {
  readonly id: string;
  readonly state: string;
  readonly name: string;
  readonly file_name: string;
  readonly tags: readonly string[];
  readonly sources: readonly string[];
  readonly operations: readonly string[];
  readonly rows: { readonly total: number; readonly rejected: number };
  readonly lookups: { readonly total: number };
  readonly limit: number | null;
  readonly max_credits: number | null;
  readonly origin: { readonly kind: string; readonly id: string | null; readonly name: string | null };
}

/** Cells with every character that CSV quotes, and a row that is wider than the header. */
const file = [
  'Kunde;Notiz;Webseite',
  '"Müller; Söhne";"sagt ""ja""";mueller.com',
  '"Zeile\neins";  führend;two.com;überzählig',
  ';;',
  'Ohne Adresse;;',
  'Nochmal;;mueller.com',
].join('\n');

async function upload(key: string, query = ''): Promise<Batch> {
  const headers = { 'Content-Type': 'text/csv' };
  const at = `/v1/batches?map=company_domain%3DWebseite,company_name%3D,email%3D&file_name=liste.csv${query}`;
  const answer = await api().call('POST', at, { key, headers, body: file });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Batch;
}

async function exported(key: string, id: string): Promise<string> {
  return (await api().call('GET', `/v1/batches/${id}/export`, { key })).text;
}

describe('POST /v1/batches/{id}/run-again', () => {
  test('creates a batch of the same rows, with the same reading, sources and labels', async () => {
    await api().createAccount('runs', 10n);
    const key = await api().createKey({ account: 'runs' });
    const first = await upload(key, '&name=Kunden&tags=dach&max_ads=5');
    const answer = await api().call('POST', `/v1/batches/${first.id}/run-again`, { key });
    expect(answer.status, answer.text).toBe(201);
    const second = answer.json() as Batch;
    expect(answer.headers.get('location')).toBe(`/v1/batches/${second.id}`);
    expect(second.id).not.toBe(first.id);
    expect(second).toMatchObject({
      name: 'Kunden',
      tags: ['dach'],
      file_name: 'liste.csv',
      sources: first.sources,
      operations: first.operations,
      rows: first.rows,
      lookups: { total: first.lookups.total },
      origin: { kind: 'run_again', id: first.id, name: 'Kunden' },
    });
    expect(first.rows).toEqual({ total: 4, rejected: 2 });
    expect(await exported(key, second.id)).toBe(await exported(key, first.id));
    const { rows } = await api().database.app.pool.query<{ search: unknown }>(
      'SELECT search FROM nightshift.batches WHERE public_id = ANY ($1) ORDER BY id',
      [[first.id, second.id]],
    );
    expect(rows[1]).toEqual(rows[0]);
  });

  test('reads a first row that is too short, and a last column that is empty, as before', async () => {
    await api().createAccount('short', 10n);
    const key = await api().createKey({ account: 'short' });
    const body = 'domain,name,notes\n,only two\nnike.com,Nike,\n';
    const headers = { 'Content-Type': 'text/csv' };
    const first = (await api().call('POST', '/v1/batches', { key, headers, body })).json() as Batch;
    const answer = await api().call('POST', `/v1/batches/${first.id}/run-again`, { key });
    expect(answer.status, answer.text).toBe(201);
    const second = answer.json() as Batch;
    expect(second.rows).toEqual(first.rows);
    expect(await exported(key, second.id)).toBe(await exported(key, first.id));
  });

  test('takes bounds, labels and max_age of its own', async () => {
    await api().createAccount('bounded', 10n);
    const key = await api().createKey({ account: 'bounded' });
    const { id } = await upload(key);
    const json = { limit: 2, max_credits: 0.5, max_spend: '1 USD', max_age: '7d', name: 'again', tags: [] };
    const answer = await api().call('POST', `/v1/batches/${id}/run-again`, { key, json });
    expect(answer.json()).toMatchObject({
      limit: 2,
      max_credits: 0.5,
      max_spend: '1 USD',
      name: 'again',
      tags: [],
    });
    const { rows } = await api().database.app.pool.query<{ age: string }>(
      "SELECT search ->> 'ageMsMax' AS age FROM nightshift.batches WHERE public_id = $1",
      [(answer.json() as Batch).id],
    );
    expect(rows).toEqual([{ age: String(7 * 24 * 3_600_000) }]);
  });

  test('creates one batch for repeated requests with an Idempotency-Key', async () => {
    await api().createAccount('repeated', 10n);
    const key = await api().createKey({ account: 'repeated' });
    const { id } = await upload(key);
    const send = () =>
      api().call('POST', `/v1/batches/${id}/run-again`, { key, headers: { 'Idempotency-Key': 'once' } });
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    const list = (await api().call('GET', '/v1/batches', { key })).json() as { batches: readonly Batch[] };
    expect(list.batches).toHaveLength(2);
  });

  test.each([
    ['an unknown field', { limits: 1 }],
    ['a limit of 0', { limit: 0 }],
    ['an invalid age', { max_age: 'long' }],
    ['a cap without a currency', { max_spend: '5' }],
    ['an empty name', { name: '  ' }],
  ])('returns 400 for %s', async (_, json) => {
    const key = await api().createKey();
    const { id } = await upload(key);
    const answer = await api().call('POST', `/v1/batches/${id}/run-again`, { key, json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('returns 404 for a batch of another account, and 409 once the rows are purged', async () => {
    await api().createAccount('other', 10n);
    const [mine, other] = [await api().createKey(), await api().createKey({ account: 'other' })];
    const { id } = await upload(mine);
    expect((await api().call('POST', `/v1/batches/${id}/run-again`, { key: other })).status).toBe(404);
    await api().call('POST', `/v1/batches/${id}/cancel`, { key: mine });
    await api().database.owner.pool.query(
      'UPDATE nightshift.batches SET purged_at = now() WHERE public_id = $1',
      [id],
    );
    const answer = await api().call('POST', `/v1/batches/${id}/run-again`, { key: mine });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
  });
});

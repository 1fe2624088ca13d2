import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultScopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { openS3StandIn } from '../../support/storage/s3-stand-in.ts';
import { checkLanded } from '../../support/destinations/landed-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightshift-lake-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const api = useTestApi({
  workers: true,
  settings: { NIGHTSHIFT_FOLDERS: folder, NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' },
});
const path = '/v1/destinations';
let key: string;

beforeAll(async () => {
  key = await api().createKey({ scopes: [...defaultScopes, 'admin'] });
});

async function create(json: object): Promise<{ readonly id: string; readonly text: string }> {
  const answer = await api().call('POST', path, { key, json });
  expect(answer.status, answer.text).toBe(201);
  return { ...(answer.json() as { readonly id: string }), text: answer.text };
}

function titleOf(answer: { readonly json: () => unknown }): string {
  return (answer.json() as ProblemBody).errors[0]?.title ?? '';
}

describe('POST /v1/destinations', () => {
  test('creates a destination in which the next batch lands, and shows its landing', async () => {
    const { id } = await create({
      name: 'lake',
      location: `${folder}`,
      shapes: ['ads'],
      format: 'ndjson',
    });
    expect((await api().call('GET', `${path}/${id}`, { key })).json()).toMatchObject({
      id,
      name: 'lake',
      location: `${folder}`,
      kind: 'folder',
      has_credentials: false,
      schedule_id: null,
      batch_id: null,
      format: 'ndjson',
      shapes: ['ads'],
      layout: 'flat',
      state: 'active',
      pending: 0,
    });
    expect((await api().call('POST', `${path}/${id}/test`, { key })).json()).toEqual({
      writable: true,
      error: null,
    });
    await api().call('POST', '/v1/batches', { key, json: { rows: [{ company_domain: 'nike.com' }] } });
    const landings = async () => (await api().call('GET', `${path}/${id}/landings`, { key })).json();
    await expect
      .poll(landings)
      .toMatchObject({ landings: [{ state: 'landed', shape: 'ads', attempts: 1, revision: 1 }], next: null });
    const [manifest] = checkLanded(folder);
    const { landings: listed } = (await landings()) as { landings: { content_key: string; rows: number }[] };
    expect(listed[0]).toMatchObject({ content_key: manifest?.content_key, rows: manifest?.rows });
    const replayed = await api().call('POST', `${path}/${id}/replay`, {
      key,
      json: { batch_id: manifest?.batch },
    });
    expect(replayed.json()).toEqual({ replayed: 1 });
    await expect.poll(landings).toMatchObject({ landings: [{ state: 'landed' }] });
  });

  test('rejects folders and addresses that an account may not use', async () => {
    for (const [location, title] of [
      ['/etc', 'This folder cannot be used'],
      [`${folder}/../..`, '".."'],
      ['https://example.com/in', 'nothing can be written to a web address'],
      ['postgres://me:hunter2@db.example.com/crm', 'password'],
      ['ftp://example.com/in', 'is not supported'],
    ]) {
      const answer = await api().call('POST', path, { key, json: { name: 'x', location } });
      expect(answer.status, location).toBe(400);
      expect(titleOf(answer)).toContain(title);
      expect(answer.text).not.toContain('hunter2');
    }
  });

  test('rejects contradictions', async () => {
    for (const wanted of [
      { format: 'table' },
      { format: 'parquet', gzip: true },
      { format: 'ndjson', raw: true },
      { table: 'a.b' },
      { schedule_id: 'sch_1', batch_id: 'bat_1' },
      { credentials: { password: 'x' } },
      { name: 'dst_1' },
    ]) {
      const json = { name: 'x', location: folder, ...wanted };
      const answer = await api().call('POST', path, { key, json });
      expect(answer.status, JSON.stringify(wanted)).toBe(400);
    }
  });

  test('stores credentials and shows them nowhere', async () => {
    const secret = 'hush-hush-3fa9';
    const accessKey = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret };
    const s3 = await openS3StandIn({ key: { ...accessKey, region: 'us-east-1' }, buckets: ['lake'] });
    const place = {
      name: 'secretive',
      location: 's3://lake',
      endpoint: s3.url,
      credentials: { access_key_id: 'AKIDEXAMPLE', secret_access_key: secret },
    };
    const { id, text } = await create(place);
    await s3.close();
    const late = await api().call('POST', path, { key, json: { ...place, name: 'late' } });
    expect([late.status, codesOf(late)]).toEqual([400, ['validation_error']]);
    expect(titleOf(late)).toContain('The bucket lake at 127.0.0.1');
    expect(text).toContain('"has_credentials":true');
    const tested = await api().call('POST', `${path}/${id}/test`, { key });
    expect(tested.json()).toMatchObject({ writable: false });
    const changed = await api().call('PATCH', `${path}/${id}`, { key, json: { name: 'quiet' } });
    const texts = [
      text,
      late.text,
      tested.text,
      changed.text,
      (await api().call('GET', path, { key })).text,
      (await api().call('GET', `${path}/${id}`, { key })).text,
      (await api().call('GET', '/v1/audit', { key })).text,
    ];
    for (const shown of texts) expect(shown).not.toContain(secret);
    const { app, owner } = api().database;
    const stored = await owner.pool.query(
      'SELECT credentials FROM nightshift.destinations WHERE public_id = $1',
      [id],
    );
    expect(stored.rows).toEqual([{ credentials: accessKey }]);
    const views = await owner.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, viewname) AS name FROM pg_views WHERE schemaname IN ('reports', 'account_reports')`,
    );
    for (const { name } of views.rows) {
      const { rows } = await owner.pool.query<{ found: boolean }>(
        `SELECT coalesce(bool_or(v::text LIKE '%' || $1 || '%'), false) AS found FROM ${name} v`,
        [secret],
      );
      expect(rows[0]?.found, name).toBe(false);
    }
    await api().call('DELETE', `${path}/${id}`, { key });
    const { rows } = await app.pool.query(
      'SELECT credentials, state FROM nightshift.destinations WHERE public_id = $1',
      [id],
    );
    expect(rows).toEqual([{ credentials: null, state: 'removed' }]);
  });

  test('needs the scope admin, and hides destinations of other accounts', async () => {
    mkdirSync(`${folder}/mine`);
    const { id } = await create({ name: 'mine', location: `${folder}/mine` });
    const plain = await api().createKey();
    expect((await api().call('GET', path, { key: plain })).status).toBe(403);
    await api().app.accounts.store.create('other');
    const others = await api().createKey({ account: 'other', scopes: [...defaultScopes, 'admin'] });
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/landings'],
      ['POST', '/test'],
    ]) {
      const answer = await api().call(method ?? '', `${path}/${id}${suffix ?? ''}`, { key: others });
      expect(answer.status).toBe(404);
      expect(codesOf(answer)).toEqual(['not_found']);
    }
  });
});

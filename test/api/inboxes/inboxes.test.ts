import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { standardInboxTerms } from '../../../src/core/inboxes/inbox.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const path = '/v1/inboxes';
const root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-inboxes-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const service = useTestApi({ settings: { NIGHTSHIFT_FOLDERS: root } });

type Body = Readonly<Record<string, unknown>> & { readonly id: string };

let count = 0;

/** Makes a folder with these files, below the allowed one. */
function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, `folder-${(count += 1)}`);
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

async function send(json: Readonly<Record<string, unknown>>, key?: string) {
  return service().call('POST', path, { key: key ?? (await service().createKey()), json });
}

async function add(given: Readonly<Record<string, unknown>> = {}, account = 'default') {
  const key = await service().createKey({ account });
  const folder = makeFolder({ 'a.csv': 'domain\nnike.com\n', 'b.csv': 'colour\nred\n' });
  const answer = await send({ name: `lists ${count}`, location: folder, settle: '0', ...given }, key);
  expect(answer.status, answer.text).toBe(201);
  const body = answer.json() as Body;
  expect(answer.headers.get('Location')).toBe(`${path}/${body.id}`);
  return { key, folder, id: body.id, body };
}

async function read<T>(key: string, at: string): Promise<T> {
  const answer = await service().call('GET', at, { key });
  expect([answer.status, at]).toEqual([200, at]);
  return answer.json() as T;
}

describe('POST /v1/inboxes', () => {
  test('creates an inbox with the given terms, and the documented defaults for the others', async () => {
    const { body, folder } = await add({
      ...{ cron: '0 * * * *', pattern: '*.csv', after: 'move', map: { company_domain: 'domain' } },
      ...{ max_credits: 2.5, operations: ['ads_search'], sources: ['sample'], max_ads: 3 },
    });
    expect(body).toMatchObject({
      ...{ location: folder, kind: 'folder', host_key: null, has_credentials: false, state: 'active' },
      ...{ cron: '0 * * * *', description: 'Every hour', time_zone: 'UTC', pattern: '*.csv', settle: '0s' },
      ...{ after: 'move', query: null, map: { company_domain: 'domain' }, operations: ['ads_search'] },
      ...{ sources: ['sample'], max_ads: 3, max_credits: 2.5, again: false, looked_at: null },
      files: { waiting: 0, ready: 0, loading: 0, loaded: 0, joined: 0, failed: 0, ignored: 0 },
    });
    const { body: plain } = await add({ settle: undefined });
    expect(plain).toMatchObject({
      ...{ cron: '*/5 * * * *', settle: '10s', after: 'keep', pattern: null, sources: ['sample'] },
    });
  });

  test.each([
    ['a folder outside of the allowed ones', { location: '/etc' }, 'This folder cannot be used'],
    ['a folder that a link leads to', { location: join(root, '..') }, 'This folder cannot be used'],
    ['a missing folder', { location: join(root, 'missing') }, 'missing'],
    ['no place', { location: 'somewhere' }, 'The location is not valid'],
    ['credentials for a folder', { credentials: { password: 'hunter2' } }, 'Unknown name in the credentials'],
    ['a query for a folder', { query: 'select 1' }, 'Only a location on Postgres has a query'],
    ['a wrong pattern', { cron: 'often' }, 'write five fields'],
    ['a wrong settle time', { settle: '1d' }, 'settle 1d'],
    ['an unknown source', { sources: ['moon'] }, 'moon'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('returns 400 for %s', async (_, given, message) => {
    const answer = await send({ name: 'wrong', location: makeFolder(), ...given });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain(message);
    expect(answer.text).not.toContain('hunter2');
  });

  test('returns 409 for a name that is taken, also with the scope to read 403', async () => {
    const { key, folder } = await add({ name: 'taken' });
    expect((await send({ name: 'taken', location: folder }, key)).status).toBe(409);
    const reader = await service().createKey({ scopes: ['batches:read'] });
    expect((await send({ name: 'mine', location: folder }, reader)).status).toBe(403);
  });
});

describe('an inbox', () => {
  test('is listed, read by name and id, changed, paused, resumed and removed', async () => {
    const { key, id } = await add({ name: 'steered' });
    const at = `${path}/${id}`;
    const { inboxes } = await read<{ inboxes: readonly Body[] }>(key, path);
    expect(inboxes.map((each) => each.id)).toContain(id);
    expect(await read(key, `${path}/steered`)).toEqual(await read(key, at));
    const changed = await service().call('PATCH', at, { key, json: { name: 'renamed', max_credits: 4 } });
    expect(changed.json()).toMatchObject({ id, name: 'renamed', max_credits: 4, settle: '0s' });
    const elsewhere = { key, json: { location: '/etc' } };
    expect((await service().call('PATCH', at, elsewhere)).status).toBe(400);
    expect((await service().call('PATCH', at, { key, json: { host_key: 'x' } })).text).toContain(
      'host_key: is a part of the location',
    );
    expect((await service().call('POST', `${at}/pause`, { key })).json()).toMatchObject({ state: 'paused' });
    expect((await service().call('POST', `${at}/look`, { key })).status).toBe(409);
    const resumed = (await service().call('POST', `${at}/resume`, { key })).json();
    expect(resumed).toMatchObject({ state: 'active' });
    expect((await service().call('DELETE', at, { key })).status).toBe(204);
    expect((await service().call('GET', at, { key })).status).toBe(404);
  });

  test('shows its files with batches and reasons in pages, and loads a failed one once more', async () => {
    const { key, id } = await add();
    await service().app.inboxes.poll(id, new AbortController().signal);
    const at = `${path}/${id}`;
    type Page = { readonly files: readonly Body[]; readonly next: string | null };
    const first = await read<Page>(key, `${at}/files?limit=1`);
    const second = await read<Page>(key, `${at}/files?limit=1&after=${first.next ?? ''}`);
    expect([...first.files, ...second.files]).toMatchObject([
      { path: 'b.csv', state: 'failed', batch: null, place: 'failed/b.csv' },
      { path: 'a.csv', state: 'loaded', reason: null, place: 'a.csv', bytes: 16 },
    ]);
    expect(second.next).toBeNull();
    expect(await read(key, `${at}/files?state=loaded`)).toMatchObject({ files: [{ path: 'a.csv' }] });
    const batch = String(second.files[0]?.['batch']);
    expect(await read(key, `/v1/batches/${batch}`)).toMatchObject({ id: batch, file_name: 'a.csv' });

    const failed = first.files[0]?.id ?? '';
    const retried = await service().call('POST', `${at}/files/${failed}/retry`, { key });
    expect([retried.status, retried.json()]).toMatchObject([200, { id: failed, state: 'ready' }]);
    expect((await service().call('POST', `${at}/files/${failed}/retry`, { key })).status).toBe(409);
    expect((await service().call('GET', `${at}/files?after=nonsense`, { key })).status).toBe(400);
  });

  test('of another account is not found', async () => {
    await service().createAccount('others');
    const { id } = await add({}, 'others');
    const key = await service().createKey();
    const calls = [
      ['GET', ''],
      ['GET', '/files'],
      ['PATCH', ''],
      ['POST', '/look'],
      ['POST', '/pause'],
      ['DELETE', ''],
    ] as const;
    for (const [method, tail] of calls) {
      const json = method === 'PATCH' ? { json: { name: 'mine' } } : {};
      const answer = await service().call(method, `${path}/${id}${tail}`, { key, ...json });
      expect([method, tail, answer.status]).toEqual([method, tail, 404]);
    }
  });

  test('shows its credentials nowhere, and loses them when it moves or is removed', async () => {
    const { app, database } = service();
    const secret = 'hunter2-of-the-bucket';
    const location = {
      ...{ kind: 's3' as const, bucket: 'leads', prefix: '', region: 'us-east-1' },
      endpoint: 'https://s3.us-east-1.amazonaws.com',
    };
    const terms = { ...standardInboxTerms, name: 'secret', location, timeZone: 'UTC', sources: ['sample'] };
    const credentials = { accessKeyId: 'AKIA-hunter', secretAccessKey: secret };
    const accountId = app.accounts.defaultId;
    const { publicId } = await app.inboxes.store.add(accountId, terms, { credentials, isOperators: false });
    const key = await service().createKey({ scopes: ['batches:read', 'batches:write', 'sql:read'] });
    const shown = [
      (await service().call('GET', `${path}/${publicId}`, { key })).text,
      (await service().call('GET', path, { key })).text,
      (
        await service().call('POST', '/v1/sql', {
          key,
          json: {
            query: `SELECT * FROM inboxes JOIN inbox_files USING (inbox_id) UNION ALL SELECT * FROM inboxes JOIN inbox_files USING (inbox_id)`,
          },
        })
      ).text,
      (await service().call('POST', '/v1/sql', { key, json: { query: 'SELECT * FROM inboxes' } })).text,
    ];
    expect(shown[0]).toContain('"has_credentials":true');
    expect(shown[3]).toContain('s3://leads/');
    expect(shown.join('\n')).not.toContain('hunter');

    const moved = { key, json: { location: makeFolder() } };
    const answer = await service().call('PATCH', `${path}/${publicId}`, moved);
    expect(answer.json()).toMatchObject({ kind: 'folder', has_credentials: false });
    const stored = 'SELECT count(*)::int AS n FROM nightshift.inboxes WHERE credentials IS NOT NULL';
    expect((await database.owner.pool.query<{ n: number }>(stored)).rows).toEqual([{ n: 0 }]);
  });
});

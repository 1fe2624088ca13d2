import { beforeAll, describe, expect, test } from 'vitest';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { purgeKinds, type Retention } from '../../../src/core/purge/purge-kinds.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { listFindings } from '../../support/db/findings.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { codesOf, useTestApi, type Answer } from '../../support/api/test-api.ts';

const path = '/v1/batches';
const list = 'website\nnike.com\nairbnb.com\nnobody-one.com\n';
const keepsAll = Object.fromEntries(purgeKinds.map((kind) => [kind, null])) as Retention;

interface BatchBody {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string } | null;
}
interface ListBody {
  readonly batches: readonly BatchBody[];
  readonly counts: {
    readonly total: number;
    readonly archived: number;
    readonly states: Readonly<Record<string, number>>;
    readonly tags: readonly unknown[];
  };
}

describe('labels of batches', () => {
  const api = useTestApi({ workers: true });
  let key = '';

  beforeAll(async () => {
    key = await api().createKey();
  });

  function upload(query: string, body = list): Promise<Answer> {
    return api().call('POST', `${path}${query}`, { key, body, headers: { 'Content-Type': 'text/csv' } });
  }

  function patch(id: string, json: unknown, by = key): Promise<Answer> {
    return api().call('PATCH', `${path}/${id}`, { key: by, json });
  }

  async function listed(query: string): Promise<ListBody> {
    const answer = await api().call('GET', `${path}?${query}`, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as ListBody;
  }

  const namesOf = ({ batches }: ListBody) => batches.map(({ name }) => name);

  test('a new batch is named after its file, with its origin and the key that created it', async () => {
    const answer = await upload('?file_name=accounts.csv');
    expect(answer.json()).toMatchObject({
      name: 'accounts.csv',
      file_name: 'accounts.csv',
      tags: [],
      origin: { kind: 'api', id: null, name: null },
      owner: { kind: 'key', id: expect.stringMatching(/^key_/) as unknown },
      archived_at: null,
    });
  });

  test('an upload takes a name and tags, each once', async () => {
    const answer = await upload('?file_name=q.csv&name=%20Rivals%20&tags=EU,eu,retail');
    expect(answer.json()).toMatchObject({ name: 'Rivals', file_name: 'q.csv', tags: ['EU', 'retail'] });
    const json = { rows: [{ company_domain: 'nike.com' }], name: 'From JSON', tags: ['json'] };
    const body = (await api().call('POST', path, { key, json })).json();
    expect(body).toMatchObject({ name: 'From JSON', tags: ['json'] });
  });

  test('a change replaces only the given labels', async () => {
    const { id } = (await upload('?name=Before&tags=one')).json() as BatchBody;
    expect((await patch(id, { name: 'After' })).json()).toMatchObject({ name: 'After', tags: ['one'] });
    expect((await patch(id, { tags: ['two', 'three'] })).json()).toMatchObject({
      name: 'After',
      tags: ['two', 'three'],
    });
    expect((await patch(id, {})).json()).toMatchObject({ name: 'After', tags: ['two', 'three'] });
  });

  test('a name of no or too many characters, and a tag with a comma, are rejected', async () => {
    const { id } = (await upload('')).json() as BatchBody;
    const bad = [
      { name: ' ' },
      { name: 'x'.repeat(201) },
      { name: 'two\nlines' },
      { tags: ['a,b'] },
      { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) },
      { colour: 'red' },
    ];
    for (const json of bad)
      expect(codesOf(await patch(id, json)), JSON.stringify(json)).toEqual(['validation_error']);
    expect(codesOf(await upload('?name=%09'))).toEqual(['validation_error']);
  });

  test('filters select by words, tag, state, origin and owner, and counts cover all that match', async () => {
    const names = ['Harbour one', 'Harbour two', 'Harbour three'];
    const ids: string[] = [];
    for (const name of names)
      ids.push(((await upload(`?name=${encodeURIComponent(name)}&tags=harbour`)).json() as BatchBody).id);
    await patch(ids[2] ?? '', { tags: ['harbour', 'west'] });
    for (const id of ids) await waitForState(api(), key, id, 'finished');
    expect(namesOf(await listed('search=HARBOUR%20three'))).toEqual(['Harbour three']);
    expect(namesOf(await listed('tag=West'))).toEqual(['Harbour three']);
    const page = await listed('tag=harbour&limit=1&state=finished,running&origin=api');
    expect(namesOf(page)).toEqual(['Harbour three']);
    expect(page.counts).toMatchObject({ total: 3, archived: 0, states: { finished: 3, paused: 0 } });
    expect(page.counts.tags[0]).toEqual({ tag: 'harbour', batches: 3 });
    expect(namesOf(await listed('tag=harbour&state=paused'))).toEqual([]);
    expect(namesOf(await listed('tag=harbour&origin=schedule'))).toEqual([]);
    expect(namesOf(await listed('tag=harbour&owner=cli'))).toEqual([]);
    const owner = page.batches[0]?.owner?.id ?? '';
    expect((await listed(`tag=harbour&owner=${owner}`)).counts.total).toBe(3);
  });

  test('an archived batch is listed only on request, and works as before', async () => {
    const { id } = (await upload('?name=Shelf')).json() as BatchBody;
    expect((await patch(id, { archived: true })).json()).toMatchObject({
      archived_at: expect.any(String) as unknown,
    });
    expect(namesOf(await listed('search=shelf'))).toEqual([]);
    expect((await listed('search=shelf')).counts).toMatchObject({ total: 0, archived: 1 });
    expect(namesOf(await listed('search=shelf&archived=true'))).toEqual(['Shelf']);
    expect(namesOf(await listed('search=shelf&archived=all'))).toEqual(['Shelf']);
    expect((await api().call('GET', `${path}/${id}`, { key })).status).toBe(200);
    expect((await patch(id, { archived: false })).json()).toMatchObject({ archived_at: null });
    expect(namesOf(await listed('search=shelf'))).toEqual(['Shelf']);
  });

  test('downloads are named after the batch, in ASCII and unchanged', async () => {
    const { id } = (await upload(`?name=${encodeURIComponent('Größe "a"/b.csv')}`)).json() as BatchBody;
    await waitForState(api(), key, id, 'finished');
    const dispositionOf = async (rest: string) =>
      (await api().call('GET', `${path}/${id}/${rest}`, { key })).headers.get('Content-Disposition');
    const day = new Date().toISOString().slice(0, 10);
    expect(await dispositionOf('export?format=xlsx&outcome=found')).toBe(
      `attachment; filename="Gro_e _a__b-rows-filtered-${day}.xlsx"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20_a__b-rows-filtered-${day}.xlsx`,
    );
    expect(await dispositionOf('report?format=md')).toContain(`filename="Gro_e _a__b-report-${day}.md"`);
    expect(await dispositionOf('rejected')).toContain(`filename="Gro_e _a__b-rejected-${day}.csv"`);
  });

  test('another account neither changes, deletes nor lists a batch, and a key that only reads changes nothing', async () => {
    const { id } = (await upload('?name=Mine')).json() as BatchBody;
    await waitForState(api(), key, id, 'finished');
    await api().createAccount('rival');
    const other = await api().createKey({ account: 'rival' });
    expect(codesOf(await patch(id, { name: 'Theirs' }, other))).toEqual(['not_found']);
    expect(codesOf(await api().call('DELETE', `${path}/${id}`, { key: other }))).toEqual(['not_found']);
    const theirs = (await api().call('GET', path, { key: other })).json() as ListBody;
    expect([theirs.batches, theirs.counts.total]).toEqual([[], 0]);
    const reader = await api().createKey({ scopes: ['batches:read'] });
    expect((await patch(id, { name: 'Theirs' }, reader)).status).toBe(403);
    expect((await api().call('DELETE', `${path}/${id}`, { key: reader })).status).toBe(403);
    expect(namesOf(await listed('search=mine'))).toEqual(['Mine']);
  });
});

describe('DELETE /v1/batches/{id}', () => {
  const api = useTestApi({ workers: true });

  test('removes an ended batch from every route, keeps its charges, and the ledger verifies before and after its purge', async () => {
    const key = await api().createKey();
    const id = await uploadBatch(api(), key, list);
    await waitForState(api(), key, id, 'finished');
    const balance = (await api().call('GET', '/v1/credits', { key })).text;
    expect((await api().call('DELETE', `${path}/${id}`, { key })).status).toBe(204);
    for (const rest of ['', '/rows', '/export', '/report', '/rejected', '/timeline', '/facets'])
      expect((await api().call('GET', `${path}/${id}${rest}`, { key })).status, rest).toBe(404);
    expect(codesOf(await api().call('DELETE', `${path}/${id}`, { key }))).toEqual(['not_found']);
    expect(codesOf(await api().call('POST', `${path}/${id}/retry`, { key }))).toEqual(['not_found']);
    expect(((await api().call('GET', path, { key })).json() as ListBody).batches).toEqual([]);
    expect((await api().call('GET', '/v1/credits', { key })).text).toBe(balance);
    expect(await problems()).toEqual([]);

    // Too young to be purged.
    await tidy();
    expect(await storedRows()).toBeGreaterThan(0);
    await ageRecord(api().database, 2);
    await tidy();
    expect(await storedRows()).toBe(0);
    expect((await api().call('GET', '/v1/credits', { key })).text).toBe(balance);
    expect(await problems()).toEqual([]);
  });

  test('rejects a batch that has not ended', async () => {
    const key = await api().createKey();
    const id = await uploadBatch(api(), key, list);
    await api().call('POST', `${path}/${id}/pause`, { key });
    const state = ((await api().call('GET', `${path}/${id}`, { key })).json() as { state: string }).state;
    if (state !== 'paused') return;
    expect(codesOf(await api().call('DELETE', `${path}/${id}`, { key }))).toEqual(['conflict']);
  });

  async function tidy(): Promise<void> {
    await createHousekeeping(api().database.app.sql, keepsAll).tidy();
  }

  async function storedRows(): Promise<number> {
    const found = await api().database.owner.pool.query<{ rows: string }>(
      'SELECT (SELECT count(*) FROM nightshift.row_blocks) + (SELECT count(*) FROM nightshift.lookups) AS rows',
    );
    return Number(found.rows[0]?.rows);
  }

  const problems = () => listFindings(api().database);
});

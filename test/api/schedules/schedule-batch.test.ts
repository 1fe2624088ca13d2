import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { createSchedulesApi, path, type ScanOut } from '../../support/api/schedules-api.ts';
import { batchOf, exportedLines, uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { eachBackend } from '../../support/queue/backends.ts';

/** Semicolons, quotes, lines within cells, and every kind of row that is rejected. */
const file = [
  'Kunde;Notiz;Webseite;Leer',
  '"Nike; Inc.";"sagt ""ja""";nike.com;',
  '"Zeile\neins";führend;two.com;;überzählig',
  'Ohne Adresse;;',
  'adidas;"=1+1";adidas.de;',
  'Nochmal;;nike.com;',
  ';keine;kein Name.;',
].join('\n');

const upload = '/v1/batches?map=company_domain%3DWebseite,company_name%3D,email%3D&file_name=liste.csv';
const csv = { 'Content-Type': 'text/csv' };

eachBackend(({ kind: queue }) => {
  const service = useTestApi({ queue, workers: true });
  const api = createSchedulesApi(service);

  test('schedule of a batch scans its rows with its options, and rejects the same rows', async () => {
    const key = await service().createKey();
    const query = '&max_ads=3&own_only=true&name=Kunden';
    const answer = await service().call('POST', `${upload}${query}`, { key, headers: csv, body: file });
    const { id } = answer.json() as { id: string };
    await waitForState(service(), key, id, 'finished');
    const schedule = await api.add(key, { name: 'weekly', cron: '@weekly', rows: undefined, batch: id });
    expect(schedule).toMatchObject({
      cron: '0 0 * * 0',
      companies: 2,
      file_name: 'liste.csv',
      sources: ['sample'],
      max_ads: 3,
      own_only: true,
    });
    await service().call('POST', `${path}/${schedule.id}/run`, { key });
    await expect
      .poll(async () => (await scansOf(key, schedule.id))[0]?.state, { timeout: 60_000 })
      .toBe('finished');
    const scan = (await scansOf(key, schedule.id))[0]?.batch ?? '';
    const [before, after] = [await batchOf(service(), key, id), await batchOf(service(), key, scan)];
    expect(before).toMatchObject({ rows: { total: 6, rejected: 3 }, lookups: { total: 2 } });
    expect(after).toMatchObject({
      rows: { total: 6, rejected: 3 },
      lookups: { total: 2 },
      ...{ max_ads: 3, own_only: true, file_name: 'liste.csv' },
    });
    const shown = async (of: string) =>
      (await exportedLines(service(), key, of)).map(
        ({ Kunde, Notiz, Webseite, input_line, ads_outcome, ads_reason }) => [
          ...[Kunde, Notiz, Webseite, input_line, ads_outcome, ads_reason],
        ],
      );
    expect(await shown(scan)).toEqual(await shown(id));
    expect(await service().findings()).toEqual([]);
  });

  async function scansOf(key: string, id: string): Promise<readonly ScanOut[]> {
    return (await api.read<{ scans: readonly ScanOut[] }>(key, `${path}/${id}/scans`)).scans;
  }
});

describe('POST /v1/schedules with a batch', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  /** Sends a schedule of a batch. */
  function send(key: string, json: Readonly<Record<string, unknown>>, headers = {}) {
    const terms = { name: 'weekly', cron: '@weekly', ...json };
    return service().call('POST', path, { key, json: terms, headers });
  }

  function titlesOf(answer: { readonly json: () => unknown }): string {
    return (answer.json() as ProblemBody).errors.map(({ title }) => title).join('\n');
  }

  test('takes terms of the request before those of the batch; null removes one', async () => {
    const key = await service().createKey();
    const json = { rows: [{ company_domain: 'nike.com' }], max_ads: 7, max_age: '2d', own_only: true };
    const { id } = (await service().call('POST', '/v1/batches', { key, json })).json() as { id: string };
    const answer = await send(key, {
      ...{ name: 'other terms', batch: id, max_ads: null, own_only: false, max_credits: 5 },
    });
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({
        max_ads: null,
        own_only: false,
        max_age: '2d',
        max_credits: 5,
        companies: 1,
      }),
    ]);
  });

  test('reports the search options of a batch', async () => {
    const key = await service().createKey();
    const json = { rows: [{ company_domain: 'nike.com' }], max_ads: 7, max_age: '36h', own_only: true };
    const { id } = (await service().call('POST', '/v1/batches', { key, json })).json() as { id: string };
    expect(await batchOf(service(), key, id)).toMatchObject({
      ...{ region: null, surface: null, max_ads: 7, own_only: true, max_age: '36h' },
    });
  });

  test('creates one schedule with the same Idempotency-Key, also after the batch is deleted', async () => {
    const key = await service().createKey();
    const batch = await uploadBatch(service(), key, 'company_domain\nnike.com\n');
    const once = () => send(key, { name: 'once', batch }, { 'Idempotency-Key': 'of-a-batch' });
    const first = await once();
    expect(first.status, first.text).toBe(201);
    await service().call('POST', `/v1/batches/${batch}/cancel`, { key });
    expect((await service().call('DELETE', `/v1/batches/${batch}`, { key })).status).toBe(204);
    const again = await once();
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await send(key, { name: 'twice', batch }, { 'Idempotency-Key': 'of-a-batch' });
    expect([other.status, codesOf(other)]).toEqual([422, ['idempotency_key_reused']]);
  });

  test('returns 404 for a batch of another account or an unknown one, and stores nothing', async () => {
    const theirs = await api.accountWith('with a batch', 0);
    const batch = await uploadBatch(service(), theirs.key, 'company_domain\nnike.com\n');
    const key = await service().createKey();
    const before = await service().countRows();
    for (const id of [batch, 'bat_01a1ff734ad87655b2c761ba36458456', 'latest']) {
      const answer = await send(key, { batch: id });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
    expect((await service().countRows())['schedules']).toBe(before['schedules']);
  });

  test('returns 409 with the remedy for a purged batch', async () => {
    const key = await service().createKey();
    const batch = await uploadBatch(service(), key, 'company_domain\nnike.com\n');
    await service().call('POST', `/v1/batches/${batch}/cancel`, { key });
    await service().database.owner.pool.query(
      'UPDATE nightshift.batches SET purged_at = now() WHERE public_id = $1',
      [batch],
    );
    const answer = await send(key, { batch });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    expect(titlesOf(answer)).toContain('Load the file again to create a new batch');
  });

  test('returns 400 for a batch that only validates addresses, and for one without a company', async () => {
    const key = await service().createKey();
    const mail = await uploadBatch(service(), key, 'email\njane@example.com\n');
    const answer = await send(key, { batch: mail });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)).toContain('only validates e-mail addresses. Choose a batch that searches ads');
    const mixed = await uploadBatch(service(), key, 'company_domain,email\n,jane@example.com\n');
    expect(titlesOf(await send(key, { batch: mixed }))).toContain('none of its 1 rows has a company');
  });

  test.each([
    ['rows as well', { rows: [{ company_domain: 'nike.com' }] }, 'batch: cannot be combined with rows'],
    ['a mapping', { map: { company_domain: 'x' } }, 'map: is an option of a file'],
    ['a file name', { file_name: 'x.csv' }, 'file_name: is an option of a file'],
    ['neither', { batch: undefined }, 'rows: is missing. Send rows, or the id of a batch'],
    ['an unknown source', { sources: ['nowhere'] }, 'nowhere'],
  ])('returns 400 for %s', async (_, json, text) => {
    const key = await service().createKey();
    const batch = await uploadBatch(service(), key, 'company_domain\nnike.com\n');
    const answer = await send(key, { batch, ...json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)).toContain(text);
  });
});

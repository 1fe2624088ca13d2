import { beforeAll, describe, expect, test, vi } from 'vitest';
import { codesOf, useTestApi, type Answer } from '../../support/api/test-api.ts';

const path = '/v1/rows/export';
const until = 'x-until';

describe('GET /v1/rows/export', () => {
  const api = useTestApi({ workers: true });
  let key = '';
  let id = '';

  beforeAll(async () => {
    key = await api().createKey();
    id = await finishedBatch('company,website\nNike,nike.com\nn/a,\n');
  });

  async function finishedBatch(body: string): Promise<string> {
    const headers = { 'Content-Type': 'text/csv' };
    const { id: batch } = (await api().call('POST', '/v1/batches', { key, headers, body })).json() as {
      id: string;
    };
    await vi.waitUntil(
      async () => (await api().call('GET', `/v1/batches/${batch}`, { key })).text.includes('"finished"'),
      { timeout: 30_000, interval: 50 },
    );
    return batch;
  }

  /** Answer with this number of rows: what ended within the last second is part of the next increment. */
  function exported(url: string, rows: number): Promise<Answer> {
    return vi.waitUntil(
      async () => {
        const answer = await api().call('GET', url, { key });
        return answer.text.split('\n').length === rows + 2 && answer;
      },
      { timeout: 20_000, interval: 100 },
    );
  }

  test('returns what ended in all batches, and the moment to send next', async () => {
    const all = await exported(`${path}?since=1d`, 2);
    expect(all.text).toMatch(/^batch,row,ended_at,company_domain,company_name,input,ads_outcome,/);
    expect(all.text).toContain(`\n${id},1,`);
    expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.headers.get('content-disposition')).toMatch(
      /^attachment; filename="rows-until-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.csv"$/,
    );
    const moment = all.headers.get(until) ?? '';
    expect(moment).toMatch(/^\d{4}-.*Z$/);
    const second = await finishedBatch('company\nAdidas\n');
    const next = await exported(`${path}?since=${moment}`, 1);
    expect(next.text).toContain(`\n${second},1,`);
    await exported(`${path}?since=${next.headers.get(until)}`, 0);
  });

  test('of a batch has its columns, the rows that ended, and the moment', async () => {
    const url = `/v1/batches/${id}/export`;
    const all = await exported(`${url}?since=1d`, 2);
    expect(all.text).toBe((await api().call('GET', url, { key })).text);
    await exported(`${url}?since=${all.headers.get(until)}`, 0);
    expect((await api().call('GET', url, { key })).headers.get(until)).toBeNull();
  });

  test('HEAD has the moment and no rows', async () => {
    const answer = await api().call('HEAD', `${path}?since=1d`, { key });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get(until)).toMatch(/^\d{4}-/);
  });

  test('a workbook has the moment, too', async () => {
    const answer = await api().call('GET', `${path}?since=1d&format=xlsx&shape=ads`, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(until)).toMatch(/^\d{4}-/);
  });

  test.each(['', 'since=', 'since=yesterday', 'since=2999-01-01', 'since=1d&format=xls', 'since=1d&limit=1'])(
    'returns 400 for ?%s',
    async (query) => {
      const answer = await api().call('GET', `${path}?${query}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    },
  );
});

describe('GET /v1/batches/{id}/export?for_excel=true', () => {
  const api = useTestApi();

  async function upload(body: string) {
    const key = await api().createKey();
    const headers = { 'Content-Type': 'text/csv' };
    const { id } = (await api().call('POST', '/v1/batches', { key, headers, body })).json() as { id: string };
    return (query: string) => api().call('GET', `/v1/batches/${id}/export?${query}`, { key });
  }

  test('has the delimiter of the file, a byte order mark and decimal commas', async () => {
    const get = await upload('Firma;Website\nMüller;nike.com\n');
    const { text } = await get('for_excel=true');
    // fetch removes the byte order mark of a text.
    expect(text.replace(/^\ufeff/, '')).toMatch(/^Firma;Website;ads_outcome;.*\nMüller;nike\.com;open;/);
    expect((await get('for_excel=false')).text).toBe((await get('')).text);
  });

  test('returns 400 for another format than CSV', async () => {
    const get = await upload('company\nNike\n');
    const answer = await get('for_excel=true&format=xlsx');
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('for_excel is for CSV, and the format is xlsx');
  });
});

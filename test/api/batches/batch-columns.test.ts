import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';

const path = '/v1/lists/columns';
const csv = { 'Content-Type': 'text/csv' };

describe('POST /v1/lists/columns', () => {
  const api = useTestApi();

  test('returns the columns of a file that a dry run rejects, and stores nothing', async () => {
    const key = await api().createKey();
    const before = await api().countRows();
    const body = 'Ticker,Security\nNKE,Nike\nADS,adidas\n';
    const answer = await api().call('POST', path, { key, headers: csv, body });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        format: 'csv',
        sheet: null,
        sheets: [],
        encoding: 'utf-8',
        delimiter: ',',
        lines_above: 0,
        columns: [
          { name: 'Ticker', examples: ['NKE', 'ADS'], looks_like: 'text' },
          { name: 'Security', examples: ['Nike', 'adidas'], looks_like: 'text' },
        ],
        guesses: { company_domain: [], company_name: [], email: [] },
        taken: { company_domain: null, company_name: null, email: null },
        problem: null,
        remembered: null,
      },
    ]);
    expect(await api().countRows()).toEqual(before);
    expect(readdirSync(join(api().app.config.home, 'input'))).toEqual([]);
  });

  test('returns the saved column mapping of the account, and of no other', async () => {
    const key = await api().createKey();
    const body = 'Ticker,Security,Home\nNKE,Nike,nike.com\n';
    const map = 'company_name=Security,company_domain=Home';
    const loaded = await api().call('POST', `/v1/batches?map=${map}`, { key, headers: csv, body });
    const { id } = loaded.json() as { id: string };
    const ask = async (by: string) =>
      (await api().call('POST', path, { key: by, headers: csv, body })).json() as { remembered: unknown };
    expect((await ask(key)).remembered).toMatchObject({
      batch: id,
      fields: { company_name: 'Security', company_domain: 'Home' },
    });
    await api().createAccount('stranger');
    expect((await ask(await api().createKey({ account: 'stranger' }))).remembered).toBeNull();
  });

  test('accepts a form and rows in JSON, and applies the parse options', async () => {
    const key = await api().createKey();
    const form = new FormData();
    form.set('header', 'false');
    form.set('file', new File(['Nike;nike.com\n'], 'list.csv'));
    const url = `${api().url}${path}`;
    const sent = await fetch(url, { method: 'POST', headers: { 'X-API-Key': key }, body: form });
    expect(await sent.json()).toMatchObject({
      delimiter: ';',
      columns: [{ name: 'column_1', examples: ['Nike'] }, { name: 'column_2' }],
    });
    const json = await api().call('POST', path, { key, json: { rows: [{ site: 'nike.com', n: 1 }] } });
    expect(json.json()).toMatchObject({
      columns: [
        { name: 'site', examples: ['nike.com'], looks_like: 'web_address' },
        { name: 'n', examples: ['1'], looks_like: 'number' },
      ],
      guesses: { company_domain: ['site'] },
    });
  });

  test.each([
    ['an old workbook', '', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 400, /old version of Excel/],
    ['an empty body', '', '', 400, /empty/],
    ['an unknown option', '?limit=1', 'a\nb\n', 400, /limit/],
  ])('rejects %s with the remedy', async (_case, query, body, status, reported) => {
    const answer = await api().call('POST', `${path}${query}`, {
      key: await api().createKey(),
      headers: csv,
      body,
    });
    expect([answer.status, codesOf(answer)]).toEqual([status, ['validation_error']]);
    expect((answer.json() as ProblemBody).errors[0]?.title).toMatch(reported);
  });

  test('requires the scope batches:write', async () => {
    const key = await api().createKey({ scopes: ['batches:read'] });
    expect((await api().call('POST', path, { key, headers: csv, body: 'a\nb\n' })).status).toBe(403);
  });
});

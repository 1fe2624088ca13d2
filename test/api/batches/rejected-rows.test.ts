import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type TestApi } from '../../support/api/test-api.ts';

const csv = { 'Content-Type': 'text/csv' };
const list = [
  'company,website,note',
  'Nike,nike.com,good',
  ',,=1+2',
  '"two',
  'lines",a.com,b,c',
  '"Zalando, SE",zalando.de,good',
  ',-,"a ""quoted"" note"',
].join('\n');
const rejected = [
  'line,reason,company,website,note,extra_1',
  `3,no company domain and no company name,,,'=1+2,`,
  '4,too many fields: 4 fields instead of 3,"two\nlines",a.com,b,c',
  '7,no company domain and no company name,,\'-,"a ""quoted"" note",',
  '',
].join('\n');

describe('POST /v1/lists/rejected', () => {
  const api = useTestApi();

  test('returns line, reason and cells of all rejected rows with escaped formulas, and stores nothing', async () => {
    const key = await api().createKey();
    const before = await api().countRows();
    const answer = await api().call('POST', '/v1/lists/rejected', { key, headers: csv, body: list });
    expect([answer.status, answer.text]).toEqual([200, rejected]);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="list-rejected.csv"');
    expect(await api().countRows()).toEqual(before);
    expect(inputOf(api())).toEqual([]);
  });

  test('applies the given column mapping and operations', async () => {
    const key = await api().createKey();
    const body = 'x,y\nNike,a@b.co\nadidas,\n,c@d.co\n';
    const query = 'map=company_name=x,email=y&operations=email_validation';
    const answer = await api().call('POST', `/v1/lists/rejected?${query}`, { key, headers: csv, body });
    expect(answer.text).toBe('line,reason,x,y\n3,no e-mail address,adidas,\n');
  });

  test('returns a hundred thousand rejected rows', async () => {
    const key = await api().createKey();
    const body = `website,n\n${Array.from({ length: 100_000 }, (_, i) => `,${i}\n`).join('')}`;
    const { text } = await api().call('POST', '/v1/lists/rejected', { key, headers: csv, body });
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(100_001);
    expect(lines.at(-1)).toBe('100001,no company domain and no company name,,99999');
    expect(inputOf(api())).toEqual([]);
  });

  test('returns 400 for a file that cannot be parsed to its end, before any row is sent', async () => {
    const key = await api().createKey();
    const body = `${list}\n"never closed`;
    const path = '/v1/lists/rejected?strict=true';
    const answer = await api().call('POST', path, { key, headers: csv, body });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(inputOf(api())).toEqual([]);
  });
});

describe('GET /v1/batches/{id}/rejected', () => {
  const api = useTestApi();

  test('returns the same as POST /v1/lists/rejected', async () => {
    const key = await api().createKey();
    const loaded = await api().call('POST', '/v1/batches', { key, headers: csv, body: list });
    const { id } = loaded.json() as { id: string };
    const answer = await api().call('GET', `/v1/batches/${id}/rejected`, { key });
    expect([answer.status, answer.text]).toEqual([200, rejected]);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="upload-rejected-\d{4}-\d\d-\d\d\.csv"; /,
    );
    const head = await api().call('HEAD', `/v1/batches/${id}/rejected`, { key });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('returns the header only when no row is rejected', async () => {
    const key = await api().createKey();
    const body = 'line,website\nx,nike.com\n';
    const loaded = await api().call('POST', '/v1/batches', { key, headers: csv, body });
    const { id } = loaded.json() as { id: string };
    const { text } = await api().call('GET', `/v1/batches/${id}/rejected`, { key });
    expect(text).toBe('line_2,reason,line,website\n');
  });

  test('returns 404 for an unknown id and a batch of another account, and 400 for a query', async () => {
    const key = await api().createKey();
    const loaded = await api().call('POST', '/v1/batches', { key, headers: csv, body: list });
    const { id } = loaded.json() as { id: string };
    await api().createAccount('stranger');
    const stranger = await api().createKey({ account: 'stranger' });
    const foreign = await api().call('GET', `/v1/batches/${id}/rejected`, { key: stranger });
    expect([foreign.status, codesOf(foreign)]).toEqual([404, ['not_found']]);
    const odd = await api().call('GET', `/v1/batches/${id}/rejected?limit=1`, { key });
    expect(odd.status).toBe(400);
  });
});

function inputOf({ app }: TestApi): readonly string[] {
  return readdirSync(join(app.config.home, 'input'));
}

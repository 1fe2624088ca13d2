import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type Answer, type ProblemBody } from '../../support/api/test-api.ts';
import { buildWorkbookFile, sheetFile, textRow } from '../../support/tables/build-workbook.ts';
import { listInFormats } from '../../support/tables/list-in-formats.ts';

const table = {
  header: ['company', 'website', 'note'],
  rows: [
    ['Nike', 'nike.com', 'Größe'],
    ['IKEA', '', 'a, b'],
    ['', '', 'without a company'],
  ],
};
const files = listInFormats(table);

const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  parquet: 'application/vnd.apache.parquet',
  ndjson: 'application/x-ndjson',
  json: 'application/octet-stream',
};

const customers = textRow('company', 'website') + textRow('Nike', 'nike.com');
const workbook = buildWorkbookFile({
  sheets: [
    { name: 'Customers', rows: customers },
    { name: 'Prospects', rows: customers },
    { name: 'Old', rows: customers, state: 'hidden' },
  ],
});

describe('files in every format', () => {
  const api = useTestApi();

  const send = async (path: string, body: Uint8Array, type = 'application/octet-stream'): Promise<Answer> => {
    const key = await api().createKey();
    return api().call('POST', path, { key, headers: { 'Content-Type': type }, body });
  };

  test.each(files)('$name: a dry run finds the same rows', async ({ format, content }) => {
    const answer = await send('/v1/batches?dry_run=true', content, mediaTypes[format]);
    expect(answer.json()).toMatchObject({
      format,
      columns: table.header,
      rows: { total: 3, rejected: 1, with_warnings: 0, duplicates: 0 },
      companies: 2,
      findings: [],
    });
  });

  test.each(files)(
    '$name: a form with the file creates a batch of the same rows',
    async ({ name, content }) => {
      const key = await api().createKey();
      const form = new FormData();
      form.set('file', new File([new Uint8Array(content)], name));
      const headers = { 'X-API-Key': key };
      const sent = await fetch(`${api().url}/v1/batches`, { method: 'POST', headers, body: form });
      expect(sent.status).toBe(201);
      expect(await sent.json()).toMatchObject({ file_name: name, rows: { total: 3, rejected: 1 } });
    },
  );

  test.each(files)('$name: the columns of the file are the same', async ({ format, content }) => {
    const answer = await send('/v1/lists/columns', content, mediaTypes[format]);
    expect(answer.json()).toMatchObject({
      format,
      columns: [
        { name: 'company', examples: ['Nike', 'IKEA'] },
        { name: 'website', examples: ['nike.com'] },
        { name: 'note', examples: ['Größe', 'a, b', 'without a company'] },
      ],
      taken: { company_domain: { column: 'website' }, company_name: { column: 'company' }, email: null },
    });
  });

  test.each(files)('$name: a schedule stores its companies', async ({ name, content }) => {
    const query = new URLSearchParams({ name: `of ${name}`, cron: '0 2 * * *', file_name: name });
    const answer = await send(`/v1/schedules?${query}`, content);
    expect([answer.status, answer.json()]).toMatchObject([201, { file_name: name, companies: 2 }]);
  });

  test.each(files)('$name: its rejected rows can be downloaded', async ({ format, content }) => {
    const answer = await send('/v1/lists/rejected', content, mediaTypes[format]);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('without a company');
  });

  test('a workbook shows its sheets, and reads the named one', async () => {
    const sheets = [
      { name: 'Customers', hidden: false },
      { name: 'Prospects', hidden: false },
      { name: 'Old', hidden: true },
    ];
    const found = await send('/v1/batches?dry_run=true', workbook);
    expect(found.json()).toMatchObject({
      ...{ format: 'xlsx', sheet: 'Customers', sheets, containers: [] },
      ...{ encoding: null, delimiter: null, quote: null, escape: null },
      findings: ['Only the sheet "Customers" is read, not "Prospects". Choose one with sheet=NAME'],
    });
    const named = await send('/v1/batches?dry_run=true&sheet=old', gzipSync(workbook));
    expect(named.json()).toMatchObject({ sheet: 'Old', containers: ['gzip'], findings: [] });
    const columns = await send('/v1/lists/columns?sheet=Prospects', workbook);
    expect(columns.json()).toMatchObject({ sheet: 'Prospects', sheets, encoding: null });
  });

  test.each([
    ['a workbook has the sheet that was read', workbook, '?sheet=old', 'Old'],
    ['a CSV file has none', Buffer.from('company\nNike\n'), '', null],
  ])('a batch of %s, in answers and in SQL', async (_case, body, query, sheet) => {
    const key = await api().createKey();
    const headers = { 'Content-Type': 'application/octet-stream' };
    const sent = await api().call('POST', `/v1/batches${query}`, { key, headers, body });
    expect([sent.status, sent.json()]).toMatchObject([201, { sheet }]);
    const { id } = sent.json() as { id: string };
    expect((await api().call('GET', `/v1/batches/${id}`, { key })).json()).toMatchObject({ sheet });
    const { rows } = await api().database.owner.sql.execute<{ sheet: string | null }>(
      sql`SELECT sheet FROM reports.batches WHERE batch = ${id}`,
    );
    expect(rows).toEqual([{ sheet }]);
  });

  test('an earlier batch of another sheet is not the same file', async () => {
    const key = await api().createKey();
    const ask = async (query: string) => {
      const call = { key, headers: { 'Content-Type': mediaTypes.xlsx }, body: workbook };
      return (await api().call('POST', `/v1/batches?${query}`, call)).json() as { earlier: unknown };
    };
    await ask('sheet=Prospects&file_name=of-prospects.xlsx');
    expect((await ask('dry_run=true&sheet=Prospects')).earlier).toMatchObject({
      file_name: 'of-prospects.xlsx',
    });
    expect((await ask('dry_run=true')).earlier).toBeNull();
  });

  test('a gzipped CSV file keeps the digest of its decompressed content', async () => {
    const csv = 'company\nNike\n';
    const answer = await send('/v1/batches', gzipSync(csv), 'application/gzip');
    const { id } = answer.json() as { id: string };
    const { rows } = await api().database.owner.sql.execute<{ digest: string }>(
      sql`SELECT encode(content_sha256, 'hex') AS digest FROM nightshift.batches WHERE public_id = ${id}`,
    );
    expect(rows[0]?.digest).toBe(createHash('sha256').update(csv).digest('hex'));
  });

  test.each([
    [
      'an unknown sheet',
      '?sheet=Leads',
      workbook,
      /Unknown sheet "Leads"\. Sheets of the workbook: "Customers"/,
    ],
    ['a delimiter of a workbook', '?delimiter=tab', workbook, /delimiter has no meaning/],
    ['a sheet of a CSV file', '?sheet=Leads', Buffer.from('company\nNike\n'), /sheet has no meaning/],
    ['a workbook that is cut off', '', workbook.subarray(0, 500), /ZIP data is damaged or cut off/],
    ['a sheet without a list', '', sheetFile(''), /has no content/],
  ])('%s is rejected, and nothing stays behind', async (_case, query, body, reported) => {
    const before = await api().countRows();
    for (const path of ['/v1/batches', '/v1/lists/columns']) {
      const answer = await send(`${path}${query}`, body);
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
      expect((answer.json() as ProblemBody).errors[0]?.title).toMatch(reported);
    }
    expect(await api().countRows()).toEqual({ ...before, api_keys: expect.any(Number) as number });
    expect(readdirSync(join(api().app.config.home, 'input'))).toEqual([]);
  });
});

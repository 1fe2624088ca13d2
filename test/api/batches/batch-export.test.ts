import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportBatch } from '../../../src/reporter/export/export-batch.ts';
import type { ReportFormat } from '../../../src/reporter/formats/report-format.ts';
import { codesOf, useTestApi, type Answer, type TestApi } from '../../support/api/test-api.ts';
import { countIdleInTransaction } from '../../support/db/idle-transactions.ts';
import { readParquet } from '../../support/reports/read-parquet.ts';
import { readXlsx } from '../../support/reports/read-xlsx.ts';

const path = '/v1/batches';
const formats = ['csv', 'ndjson', 'json'] as const;
const shapes = ['rows', 'ads', 'variants'] as const;
const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};
const byteMediaTypes = {
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const byteForms = (['parquet', 'xlsx'] as const).flatMap((format) =>
  shapes.map((shape) => ({ format, shape })),
);
const forms = formats.flatMap((format) => shapes.map((shape) => ({ format, shape })));

/** Pattern of the name of a download: after the batch, the shape and the day of the batch. */
const dispositionOf = (shape: string, format: string) =>
  new RegExp(`^attachment; filename="upload-${shape}-\\d{4}-\\d\\d-\\d\\d\\.${format}"; `);

describe('GET /v1/batches/{id}/export of a finished batch', () => {
  const api = useTestApi({ workers: true });
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-export-'));
  let id = '';
  let key = '';

  beforeAll(async () => {
    key = await api().createKey();
    id = await upload(api(), key, oddList());
    while ((await stateOf(api(), key, id)) !== 'finished') await pause(100);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(forms)(
    'as $format by $shape returns the bytes of the file of the command line, twice',
    async ({ format, shape }) => {
      const expected = await writtenFile(format, shape, false);
      const first = await exported(`format=${format}&shape=${shape}`);
      const second = await exported(`format=${format}&shape=${shape}`);
      expect(first.text.length).toBeGreaterThan(1000);
      expect(first.text).toBe(expected);
      expect(second.text).toBe(first.text);
      expect(first.headers.get('content-type')).toBe(mediaTypes[format]);
      expect(first.headers.get('content-disposition')).toMatch(dispositionOf(shape, format));
      expect(first.headers.get('x-request-id')).toMatch(/^req_/);
    },
  );

  test.each(forms)('as $format by $shape returns them with raw=true, too', async ({ format, shape }) => {
    const { text } = await exported(`format=${format}&shape=${shape}&raw=true`);
    expect(text).toBe(await writtenFile(format, shape, true));
  });

  test.each(byteForms)(
    'as $format by $shape returns the bytes of the file of the command line, twice, with the values of NDJSON',
    async ({ format, shape }) => {
      const expected = await writtenBytes(format, shape);
      for (let time = 0; time < 2; time += 1) {
        const { bytes, headers } = await download(`format=${format}&shape=${shape}`);
        expect(bytes.equals(expected)).toBe(true);
        expect(headers.get('content-type')).toBe(byteMediaTypes[format]);
        expect(headers.get('content-disposition')).toMatch(dispositionOf(shape, format));
      }
      const lines = ndjsonOf(await exported(`format=ndjson&shape=${shape}`));
      const { lines: read } = format === 'parquet' ? await readParquet(expected) : readXlsx(expected);
      expect(read).toEqual(lines.map((line) => Object.values(line).map(format === 'xlsx' ? inSheet : same)));
    },
  );

  test('defaults to CSV by rows', async () => {
    expect((await exported('')).text).toBe((await exported('format=csv&shape=rows&raw=false')).text);
  });

  test('has every row in input order with its own cells, including duplicates and rejected rows', async () => {
    const lines = ndjsonOf(await exported('format=ndjson'));
    const rows = oddRows();
    expect(rows.length).toBeGreaterThan(60);
    expect(lines.map((line) => [line['company'], line['website'], line['=note']])).toEqual(rows);
    expect(new Set(lines.map((line) => line['ads_outcome']))).toEqual(
      new Set(['found', 'no_match', 'rejected']),
    );
    const { credits } = (await api().call('GET', `${path}/${id}`, { key })).json() as BatchBody;
    const tenths = lines.reduce(
      (sum, line) => sum + Math.round(Number(line['ads_credits_consumed']) * 10),
      0,
    );
    expect(tenths / 10).toBe(credits.charged);
  });

  test('has one line per ad or variant, and one line for a row without ads', async () => {
    const [rows, ads, variants] = [
      ndjsonOf(await exported('format=ndjson&shape=rows')),
      ndjsonOf(await exported('format=ndjson&shape=ads')),
      ndjsonOf(await exported('format=ndjson&shape=variants')),
    ];
    const adLines = rows.reduce((sum, line) => sum + Math.max(1, Number(line['ads_count'])), 0);
    expect(ads).toHaveLength(adLines);
    const variantLines = ads.reduce((sum, line) => sum + Math.max(1, Number(line['variants_count'] ?? 1)), 0);
    expect(variants).toHaveLength(variantLines);
  });

  test('has the same values in JSON and NDJSON', async () => {
    for (const shape of shapes) {
      const json = (await exported(`format=json&shape=${shape}`)).json();
      expect(json).toEqual(ndjsonOf(await exported(`format=ndjson&shape=${shape}`)));
    }
  });

  test('escapes formulas in CSV unless raw=true', async () => {
    const { text } = await exported('format=csv');
    expect(text.split('\n', 1)[0]).toMatch(/^company,website,'=note,/);
    for (const formula of formulas) {
      expect(text).toContain(`'${formula.replaceAll('"', '""')}`);
      expect(text).not.toMatch(new RegExp(`(^|,)"?${escaped(formula)}`, 'm'));
    }
    const raw = (await exported('format=csv&raw=true')).text;
    expect(raw.split('\n', 1)[0]).toMatch(/^company,website,=note,/);
    for (const formula of formulas) expect(raw).toMatch(new RegExp(`,"?${escaped(formula)}`));
  });

  test('keeps cells in JSON and NDJSON unchanged', async () => {
    const notes = ndjsonOf(await exported('format=ndjson')).map((line) => line['=note']);
    expect(notes).toEqual(expect.arrayContaining([...formulas]));
  });

  test.each([
    'format=xls',
    'format=CSV',
    'format=',
    'shape=ad',
    'raw=1',
    'raw=',
    'limit=1',
    'format=csv&format=json',
  ])('returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `${path}/${id}/export?${query}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('returns 404 with the error body for an unknown batch', async () => {
    const answer = await api().call('GET', `${path}/bat_01a1ff734ad87655b2c761ba36458456/export`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  async function exported(query: string): Promise<Answer> {
    const answer = await api().call('GET', `${path}/${id}/export?${query}`, { key });
    expect([query, answer.status]).toEqual([query, 200]);
    return answer;
  }

  /** As bytes: binary formats do not survive decoding as text. */
  async function download(query: string): Promise<{ readonly bytes: Buffer; readonly headers: Headers }> {
    const response = await fetch(`${api().url}${path}/${id}/export?${query}`, {
      headers: { 'X-API-Key': key },
    });
    expect(response.status).toBe(200);
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
  }

  async function writtenFile(format: (typeof formats)[number], shape: (typeof shapes)[number], raw: boolean) {
    return (await writtenBytes(format, shape, raw)).toString('utf8');
  }

  async function writtenBytes(format: ReportFormat, shape: (typeof shapes)[number], raw = false) {
    const target = join(folder, `export-${randomBytes(4).toString('hex')}.${format}`);
    const { app } = api();
    const batch = await app.batches.store.readSummary(app.accounts.defaultId, id);
    await exportBatch(app.batches.reportStore, { batch, format, shape, raw, target, createdAt: new Date() });
    return readFileSync(target);
  }
});

describe('GET /v1/batches/{id}/export of a batch that has not started', () => {
  const api = useTestApi();

  test('marks companies without an outcome as open', async () => {
    const key = await api().createKey();
    const id = await upload(api(), key, 'website,note\nnike.com,\n,nobody\n');
    const lines = ndjsonOf(await api().call('GET', `${path}/${id}/export?format=ndjson`, { key }));
    expect(lines.map((line) => line['ads_outcome'])).toEqual(['open', 'rejected']);
  });

  test('without rows is a header, an empty array or empty', async () => {
    const key = await api().createKey();
    const id = await upload(api(), key, 'website\n');
    const text = async (format: string) =>
      (await api().call('GET', `${path}/${id}/export?format=${format}`, { key })).text;
    expect(await text('csv')).toMatch(/^website,ads_outcome[^\n]*\n$/);
    expect(JSON.parse(await text('json'))).toEqual([]);
    expect(await text('ndjson')).toBe('');
  });
});

describe('GET /v1/batches/{id}/export beyond the limits of XLSX', () => {
  const api = useTestApi();

  test('returns 400 with other formats to use, and the next workbook is returned', async () => {
    const key = await api().createKey();
    const rows = Array.from({ length: 50_001 }, (_, i) => `company-${i % 10}.com`).join('\n');
    const id = await upload(api(), key, `website\n${rows}\n`);
    const answer = await api().call('GET', `${path}/${id}/export?format=xlsx`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('Export it as CSV or Parquet');
    expect(answer.headers.get('content-disposition')).toBeNull();
    const short = await upload(api(), key, `website,note\nnike.com,"${'x'.repeat(32_768)}"\n`);
    const long = await api().call('GET', `${path}/${short}/export?format=xlsx`, { key });
    expect(long.text).toContain('Row 2, column \\"note\\" has 32,768');
    const fits = await upload(api(), key, `website,note\nnike.com,"${'x'.repeat(32_767)}"\n`);
    expect((await api().call('GET', `${path}/${fits}/export?format=xlsx`, { key })).status).toBe(200);
    await expect.poll(() => countIdleInTransaction(api().database)).toBe(0);
  });
});

/** A sheet cannot distinguish an empty text from no value. */
function inSheet(value: unknown): unknown {
  return value === '' ? null : value;
}

function same(value: unknown): unknown {
  return value;
}

interface BatchBody {
  readonly id: string;
  readonly state: string;
  readonly credits: { readonly charged: number };
}

const formulas = [
  '=1+1',
  '+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  ' =1+1',
  '＝1+1',
  '=HYPERLINK("http://x","y")',
] as const;

/** Companies with and without ads, repeated, unknown, and rows without a company. */
function oddRows(): readonly (readonly [string, string, string])[] {
  const known = ['nike.com', 'spotify.com', 'adidas.de', 'airbnb.com', 'booking.com', 'microsoft.com'];
  return [
    ...formulas.map((formula, i) => ['', known[i % known.length] ?? '', formula] as const),
    ...known.map(
      (domain) => ['again', `https://www.${domain}/path`, 'a "quoted" note,\nin two lines'] as const,
    ),
    ['IKEA', '', 'by its name'],
    ['Qwxyz Unheard Of Holdings', '', 'no source knows it'],
    ['', '', 'names nobody'],
    ['', 'not a domain', 'names nobody either'],
    ...Array.from({ length: 50 }, (_, i) => [`Company ${i}`, `company-${i}-has-no-ads.com`, `${i}`] as const),
  ];
}

function oddList(): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = oddRows().map((cells) => cells.map(quoted).join(','));
  return `company,website,=note\n${lines.join('\n')}\n`;
}

async function upload(api: TestApi, key: string, body: string): Promise<string> {
  const answer = await api.call('POST', path, { key, headers: { 'Content-Type': 'text/csv' }, body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return (answer.json() as BatchBody).id;
}

async function stateOf(api: TestApi, key: string, id: string): Promise<string> {
  return ((await api.call('GET', `${path}/${id}`, { key })).json() as BatchBody).state;
}

function ndjsonOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  expect(answer.status).toBe(200);
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Regular expression for the text in a quoted CSV cell. */
function escaped(formula: string): string {
  return formula.replaceAll('"', '""').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

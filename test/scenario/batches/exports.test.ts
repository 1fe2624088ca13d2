import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeIn } from '../../support/cli/error-code.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { readParquet } from '../../support/reports/read-parquet.ts';
import { readXlsx } from '../../support/reports/read-xlsx.ts';

const formats = ['csv', 'ndjson', 'json'] as const;
const shapes = ['rows', 'ads', 'variants'] as const;
type Line = Readonly<Record<string, unknown>>;

const text = 'company,website\nNike,nike.com\nNobody We Know,\nNike,\nn/a,\n';

describe('export of a finished batch', () => {
  const cli = useTestCli({ inProcess: true });
  let batch: string;

  beforeAll(async () => {
    cli().write('list.csv', text);
    const done = await cli().ask(['enrich', 'list.csv', '--source', 'sample', '-o', 'list-out.csv']);
    ({ id: batch } = done as { id: string });
  });

  /** Parses the lines of an export to stdout, in any format. */
  async function linesOf(format: (typeof formats)[number], shape: string): Promise<readonly Line[]> {
    const { exitCode, stdout, stderr } = await cli().run([
      ...['export', batch, '-o', '-', '--format', format, '--shape', shape],
    ]);
    expect(exitCode, stderr).toBe(0);
    if (format === 'csv') return parse(stdout, { columns: true });
    if (format === 'json') return JSON.parse(stdout) as readonly Line[];
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  }

  test.each(shapes)('has the same lines in every format, shape %s', async (shape) => {
    const [csv = [], ndjson, json] = await Promise.all(formats.map((format) => linesOf(format, shape)));
    expect(ndjson).toEqual(json);
    expect(csv).toEqual(json?.map(asText));
    const companies = new Set(csv.map((line) => line['company']));
    expect([...companies]).toEqual(['Nike', 'Nobody We Know', 'n/a']);
  });

  test('has one line per row, ad or variant; a row without any has one', async () => {
    const rows = await linesOf('json', 'rows');
    const ads = await linesOf('json', 'ads');
    expect(rows.map((line) => line['ads_outcome'])).toEqual(['found', 'no_match', 'found', 'rejected']);
    const perRow = rows.map((line) => Math.max(1, Number(line['ads_count'])));
    expect(ads.length).toBe(perRow.reduce((sum, count) => sum + count, 0));
    const creatives = ads.slice(0, perRow[0]).map((line) => line['creative_id']);
    expect(new Set(creatives).size).toBe(perRow[0]);
    expect(ads.at(-1)).toMatchObject({ ads_outcome: 'rejected', creative_id: null });
  });

  test.each(shapes)(
    'lists each charge once, so that the column adds up to the total, shape %s',
    async (shape) => {
      const lines = await linesOf('ndjson', shape);
      const credits = lines.map((line) => Number(line['ads_credits_consumed']));
      expect(credits.filter((amount) => amount > 0)).toEqual([0.2, 0.2]);
    },
  );

  test('has the line of the file for each row, including rejected ones', async () => {
    const rows = await linesOf('json', 'rows');
    expect(rows.map((line) => line['input_line'])).toEqual([2, 3, 4, 5]);
  });

  test.each(shapes)('has the values of NDJSON in Parquet, with types, shape %s', async (shape) => {
    const name = `typed-${shape}.parquet`;
    await cli().ask(['export', batch, '-o', name, '--shape', shape]);
    const table = await readParquet(readFileSync(join(cli().folder, name)));
    const lines = await linesOf('ndjson', shape);
    expect(table.names).toEqual(Object.keys(lines[0] ?? {}));
    expect(table.lines).toEqual(lines.map((line) => Object.values(line)));
    const types = Object.fromEntries(table.names.map((column, index) => [column, table.types[index]]));
    expect(types).toMatchObject({
      company: 'STRING',
      ads_outcome: 'STRING',
      ads_from_cache: 'BOOLEAN',
      ads_observed_at: 'TIMESTAMP(UTC,MICROS)',
      ads_count: 'INT32',
      ads_credits_consumed: 'DECIMAL(18,6)',
      ...(shape === 'rows' ? {} : { creative_id: 'STRING', start: 'DATE', last_seen: 'DATE' }),
    });
  });

  test.each(shapes)('has the values of JSON in XLSX, shape %s', async (shape) => {
    const name = `typed-${shape}.xlsx`;
    await cli().ask(['export', batch, '-o', name, '--shape', shape]);
    const sheet = readXlsx(readFileSync(join(cli().folder, name)));
    const lines = await linesOf('json', shape);
    expect(sheet.names).toEqual(Object.keys(lines[0] ?? {}));
    expect(sheet.lines).toEqual(
      lines.map((line) => Object.values(line).map((value) => (value === '' ? null : value))),
    );
  });

  test('writes binary formats to stdout as bytes', async () => {
    const { stdoutBytes } = await cli().run(['export', batch, '--format', 'parquet']);
    await cli().ask(['export', batch, '-o', 'same.parquet']);
    expect(stdoutBytes.equals(readFileSync(join(cli().folder, 'same.parquet')))).toBe(true);
  });

  test.each([...formats, 'parquet', 'xlsx'])('is deterministic, as %s', async (format) => {
    const [first, second] = [`one.${format}`, `two.${format}`];
    for (const name of [first, second]) await cli().ask(['export', batch, '-o', name, '--shape', 'ads']);
    expect(cli().read(second)).toBe(cli().read(first));
    expect(cli().read(first).length).toBeGreaterThan(100);
  });

  test('has a manifest with counts, credits and checksum', async () => {
    await cli().ask(['export', batch, '-o', 'told.csv']);
    const manifest = JSON.parse(cli().read('told.csv.manifest.json')) as Line;
    const sha256 = createHash('sha256').update(cli().read('told.csv')).digest('hex');
    expect(manifest).toMatchObject({
      file: 'told.csv',
      format: 'csv',
      shape: 'rows',
      defused: true,
      lines: 4,
      sha256,
      details: {
        batch,
        state: 'finished',
        rows: { total: 4, rejected: 1 },
        lookups: { total: 3, found: 2, no_match: 1 },
        credits: { charged: 0.4, ceiling: 0.6 },
      },
    });
  });

  test('is one JSON document on stdout with --json', async () => {
    expect(await cli().ask(['export', batch])).toHaveLength(4);
    const { exitCode, stdout, stderr } = await cli().run(['export', batch, '--json', '--format', 'csv']);
    expect([exitCode, codeIn(stdout)]).toEqual([2, 'validation_error']);
    expect(stderr).toContain('-o FILE');
  });

  test.each([
    { what: 'a missing folder', target: 'nowhere/out.csv', says: 'its folder does not exist' },
    { what: 'a folder', target: '.', says: 'name' },
    { what: 'an unknown ending', target: 'out.xls', says: '.ndjson' },
    { what: 'a format compressed twice', target: 'out.parquet.gz', says: 'Leave the .gz away' },
  ])('$what as the output is rejected, by enrich before it loads the file', async ({ target, says }) => {
    for (const command of [
      ['export', batch],
      ['enrich', 'fresh.csv', '--source', 'sample'],
    ]) {
      cli().write('fresh.csv', 'company\nIKEA\n');
      const { exitCode, stdout, stderr } = await cli().run([...command, '-o', target]);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(says);
    }
    const { batches } = (await cli().ask(['status'])) as { batches: readonly unknown[] };
    expect(batches).toHaveLength(1);
    expect(existsSync(join(cli().folder, 'nowhere'))).toBe(false);
  });

  test('leaves no temporary file behind', () => {
    expect(readdirSync(cli().folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test.each(['export', 'status', 'watch'])(
    '%s of an unknown batch names the command that lists batches',
    async (name) => {
      const { exitCode, stdout, stderr } = await cli().run([name, 'bat_unknown', '--json']);
      expect([exitCode, codeIn(stdout)]).toEqual([2, 'not_found']);
      expect(stderr).toContain('There is no batch bat_unknown. `nightshift status` lists');
    },
  );
});

describe('file with more rows than a workbook can have', () => {
  const cli = useTestCli({ inProcess: true });

  test('is rejected as XLSX before any lookup, and exported in another format', async () => {
    const rows = Array.from({ length: 50_001 }, (_, index) => `company-${index % 100}.com`);
    cli().write('long.csv', `website\n${rows.join('\n')}\n`);
    const args = ['enrich', 'long.csv', '--source', 'sample'];
    const refused = await cli().run([...args, '-o', 'long.xlsx']);
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('50,000 lines at most; this one has more. Export it as CSV or Parquet');
    const { batches } = (await cli().ask(['status'])) as { batches: readonly { id: string }[] };
    expect(batches).toMatchObject([{ lookups: { open: 100 } }]);
    const id = batches[0]?.id ?? '';
    const late = await cli().run(['export', id, '-o', 'long.xlsx']);
    expect([late.exitCode, late.stderr.includes('CSV or Parquet')]).toEqual([2, true]);
    expect(readdirSync(cli().folder).filter((name) => name.includes('xlsx'))).toEqual([]);
    await cli().ask(['enrich', 'long.csv', '--source', 'sample', '-o', 'long.parquet']);
    const table = await readParquet(readFileSync(join(cli().folder, 'long.parquet')));
    expect([table.lines.length, table.groups]).toEqual([50_001, [20_000, 20_000, 10_001]]);
  });
});

describe('batch without a worker', () => {
  const cli = useTestCli({ inProcess: true });

  test('is exported with its open rows, and a note', async () => {
    cli().write('list.csv', text);
    const loaded = await cli().run(['load', 'list.csv', '--source', 'sample']);
    const batch = loaded.stdout.trim();
    expect(batch).toMatch(/^bat_[0-9a-f]{32}$/);
    const { exitCode, stdout, stderr } = await cli().run(['export', batch]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('3 companies are still open');
    const lines: readonly Line[] = parse(stdout, { columns: true });
    expect(lines.map((line) => line['ads_outcome'])).toEqual(['open', 'open', 'open', 'rejected']);
  });
});

/** Formats a value as in CSV. */
function asText(line: Line): Line {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      value === null ? '' : String(value as string | number),
    ]),
  );
}

describe('batch with truncated ads', () => {
  const cli = useTestCli({ inProcess: true });
  let batch: string;
  let all: number;

  beforeAll(async () => {
    cli().write('few.csv', 'company,website\nNike,nike.com\nNobody We Know,\n');
    const whole = await cli().ask(['search', '--source', 'sample', '--domain', 'nike.com']);
    all = (whole as { ads_count: number }).ads_count;
    const args = ['enrich', 'few.csv', '--source', 'sample', '--max-ads', '3', '-o', 'few-out.csv'];
    ({ id: batch } = (await cli().ask(args)) as { id: string });
  });

  test('is marked in the export, with the estimates', () => {
    const [nike, nobody] = parse<Line>(readFileSync(join(cli().folder, 'few-out.csv'), 'utf8'), {
      columns: true,
    });
    const estimate = { ads_estimate_low: String(all), ads_estimate_high: String(all) };
    expect(all).toBeGreaterThan(3);
    expect(nike).toMatchObject({ ads_count: '3', ads_truncated: 'true', ...estimate });
    expect(nobody).toMatchObject({ ads_count: '', ads_truncated: 'false', ads_estimate_low: '' });
  });

  test('is marked in status, SQL and report', async () => {
    expect(await cli().ask(['status', batch])).toMatchObject({ ads_truncated: 1 });
    expect((await cli().run(['status', batch])).stdout).toMatch(
      /Truncated +1 company has more ads than requested/,
    );
    const query = 'SELECT truncated, estimate_low FROM reports.lookups WHERE truncated';
    expect((await cli().run(['sql', query])).stdout).toContain(String(all));
    for (const name of ['few.html', 'few.md']) {
      await cli().run(['report', batch, '-o', name]);
      expect(readFileSync(join(cli().folder, name), 'utf8')).toMatch(
        new RegExp(`3.{0,60}of about ${all}`, 's'),
      );
    }
  });

  test('a search reports truncated ads as well', async () => {
    const args = ['search', '--source', 'sample', '--domain', 'nike.com', '--max-ads', '3'];
    expect(await cli().ask(args)).toMatchObject({ truncated: true, estimate_low: all, estimate_high: all });
    expect((await cli().run(args)).stdout).toContain(
      `more ads than requested: ${all}, as estimated by the source`,
    );
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { buildWorkbookFile, textRow, type BuiltSheet } from '../../support/tables/build-workbook.ts';
import { buildZip } from '../../support/tables/build-zip.ts';
import { listInFormats } from '../../support/tables/list-in-formats.ts';

const cli = useTestCli({ inProcess: true });

const table = {
  header: ['company', 'website', 'note'],
  rows: [
    ['Nike', 'nike.com', 'Größe'],
    ['IKEA', '', 'a, b'],
    ['', '', 'without a company'],
    ['Nike again', 'nike.com', ''],
  ],
};
const files = listInFormats(table);

describe('the same list in every format', () => {
  test.each(files)('$name: check finds the same rows and companies', async ({ name, format, content }) => {
    cli().write(name, content);
    const found = await cli().ask(['check', name], { exitCode: 1 });
    expect(found).toMatchObject({
      form: { format, header: table.header, fields: { company_domain: 1, company_name: 0, email: null } },
      rows: { total: 4, rejected: 1, with_warnings: 0, duplicates: 1 },
      companies: 2,
      credits: { floor: 0, ceiling: 0.4 },
    });
  });

  test.each(files)('$name: enrich returns the same rows and outcomes', async ({ name, content }) => {
    cli().write(name, content);
    const args = ['enrich', name, '--source', 'sample', '-o', '-', '--again'];
    const { exitCode, stdout, stderr } = await cli().run(args);
    expect(exitCode, stderr).toBe(0);
    const [header = [], ...rows] = parse(stdout);
    expect(header.slice(0, 3)).toEqual(table.header);
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(table.rows);
    expect(rows.map((cells) => cells[header.indexOf('ads_outcome')])).toEqual([
      'found',
      'found',
      'rejected',
      'found',
    ]);
  });

  test.each(files)('$name: a scan of a schedule searches the same companies', async ({ name, content }) => {
    cli().write(name, content);
    const added = await cli().ask([
      ...['schedule', 'add', `of ${name}`, '--companies', name, '--cron', '0 2 * * *', '--source', 'sample'],
    ]);
    expect(added).toMatchObject({ file_name: name, companies: 2, rejected: 1 });
  });

  test('check --parsed writes the same cells of every file', async () => {
    for (const { name, content } of files) cli().write(name, content);
    const names = files.map(({ name }) => name);
    const { exitCode, stderr } = await cli().run(['check', ...names, '--parsed', 'parsed']);
    expect(exitCode, stderr).toBe(0);
    for (const { name, format } of files) {
      const lines = readFileSync(join(cli().folder, 'parsed', `${name}.ndjson`), 'utf8')
        .trimEnd()
        .split('\n');
      const [form, ...rows] = lines.map((line) => JSON.parse(line) as { readonly cells: readonly string[] });
      expect(form).toMatchObject({ format, header: table.header });
      expect(rows.map(({ cells }) => cells)).toEqual(table.rows);
    }
  });
});

const people: BuiltSheet = {
  name: 'Customers',
  rows: textRow('company', 'website') + textRow('Nike', 'nike.com') + textRow('IKEA', 'ikea.com'),
};
const prospects: BuiltSheet = { ...people, name: 'Prospects' };

describe('workbook', () => {
  test('check reports the sheets that are not read, hidden rows, errors and formulas without a result', async () => {
    const rows =
      textRow('company', 'website', 'size') +
      '<row r="2" hidden="1"><c r="A2" t="inlineStr"><is><t>Nike</t></is></c></row>' +
      '<row r="3"><c r="A3" t="inlineStr"><is><t>IKEA</t></is></c><c r="B3" t="e"><v>#N/A</v></c></row>' +
      '<row r="4"><c r="A4" t="inlineStr"><is><t>Puma</t></is></c><c r="C4"><f>1+1</f></c></row>';
    cli().write('notes.xlsx', buildWorkbookFile({ sheets: [{ name: 'Leads', rows }, prospects] }));
    const { exitCode, stdout } = await cli().run(['check', 'notes.xlsx']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('File       notes.xlsx: Excel workbook, sheet "Leads"');
    expect(stdout).toContain(
      'Finding    Only the sheet "Leads" is read, not "Prospects". Choose one with --sheet NAME',
    );
    expect(stdout).toContain('Finding    1 row is hidden in the sheet');
    expect(stdout).toContain('Finding    1 cell has an error such as #N/A, the first one in B3');
    expect(stdout).toContain('Finding    1 formula has no stored result, the first one in C4');
  });

  test('--sheet reads another sheet, and two sheets with the same columns are two batches', async () => {
    cli().write('two.xlsx', buildWorkbookFile({ sheets: [people, prospects] }));
    const load = async (...more: readonly string[]) =>
      ((await cli().ask(['load', 'two.xlsx', '--source', 'sample', ...more])) as { id: string }).id;
    const first = await load();
    expect(await load('--sheet', 'customers')).toBe(first);
    const second = await load('--sheet', 'Prospects');
    expect(second).not.toBe(first);
    expect(await load('--sheet', 'Prospects')).toBe(second);
    expect((await cli().run(['status'])).stdout).toContain('two.xlsx, sheet "Prospects"');
  });

  test('an unknown sheet is rejected with the names of all sheets', async () => {
    cli().write('two.xlsx', buildWorkbookFile({ sheets: [people, prospects] }));
    const { exitCode, stderr } = await cli().run(['check', 'two.xlsx', '--sheet', 'Leads']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Unknown sheet "Leads". Sheets of the workbook: "Customers", "Prospects".');
  });

  test('rows are named by their number in the sheet', async () => {
    const rows = `${textRow('company', 'website')}<row r="9"><c r="B9" t="inlineStr"><is><t>not a domain</t></is></c></row>`;
    cli().write('rows.xlsx', buildWorkbookFile({ sheets: [{ name: 'S', rows }] }));
    const { stdout } = await cli().run(['check', 'rows.xlsx']);
    expect(stdout).toMatch(/^ {2}row 9: /m);
  });
});

describe('option without a meaning for the format', () => {
  const byName = (name: string) => files.find((file) => file.name === name)?.content ?? Buffer.alloc(0);

  test.each([
    [
      'list.xlsx',
      ['--delimiter', ';', '--encoding', 'utf-8'],
      /--encoding, --delimiter have no meaning .*Excel/,
    ],
    ['list.csv', ['--sheet', 'Leads'], /--sheet has no meaning .*CSV/],
    ['list.json', ['--skip-lines', '1'], /--skip-lines has no meaning .*JSON array/],
    ['list.parquet', ['--no-header'], /--no-header has no meaning .*Parquet, whose columns have names/],
  ])('%s with %s is rejected', async (name, options, message) => {
    cli().write(name, byName(name));
    const { exitCode, stderr } = await cli().run(['check', name, ...options]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});

test.each([
  ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old version of Excel \(\.xls\)/],
  ['cut.xlsx', Buffer.from('PK\u0003\u0004'), /ZIP data is damaged or cut off/],
  ['paths.zip', buildZip([{ name: '../../etc/passwd', content: 'company\nNike\n' }]), /paths\.zip/],
  [
    'bomb.zip',
    buildZip([{ name: 'a.csv', content: `company\n${`${'Nike'.padEnd(1_000)}\n`.repeat(60_000)}` }]),
    /bomb\.zip: .*(times|larger)/s,
  ],
])('%s is rejected by check and load, with the remedy', async (name, content, message) => {
  cli().write(name, content);
  for (const [command, ...more] of [['check'], ['load', '--source', 'sample']] as const) {
    const { exitCode, stderr } = await cli().run([command, name, ...more]);
    expect([command, exitCode, stderr]).toEqual([command, 2, expect.stringMatching(message)]);
  }
});

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../support/csv/company-files.ts';
import { useTestCli, type RunOptions } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

/** Enriches a file and returns the cells of the result, header first. */
async function enrich(
  name: string,
  content: string | Uint8Array,
  { more = [], ...options }: RunOptions & { readonly more?: readonly string[] } = {},
): Promise<readonly (readonly string[])[]> {
  cli().write(name, content);
  const { exitCode, stdout, stderr } = await cli().run(
    ['enrich', name, '--source', 'sample', '-o', '-', ...more],
    options,
  );
  expect(exitCode, stderr).toBe(0);
  return parse(stdout);
}

/** Returns the user's own columns: all before those of Nightshift. */
function ownCells(table: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const first = table[0]?.findIndex((name) => name.startsWith('ads_')) ?? 0;
  return table.map((cells) => cells.slice(0, first));
}

const plain = 'company,website,note\nNike,nike.com,Größe\nIKEA,,"a, b"\n';
const plainCells = [
  ['company', 'website', 'note'],
  ['Nike', 'nike.com', 'Größe'],
  ['IKEA', '', 'a, b'],
];

describe('file in an unusual format', () => {
  test.each([
    { form: 'semicolons', content: 'company;website;note\nNike;nike.com;Größe\nIKEA;;a, b\n' },
    { form: 'tabs', content: 'company\twebsite\tnote\nNike\tnike.com\tGröße\nIKEA\t\ta, b\n' },
    { form: 'bars', content: 'company|website|note\nNike|nike.com|Größe\nIKEA||a, b\n' },
    { form: 'a byte order mark', content: encodeText(plain, 'utf-8', true) },
    { form: 'CRLF line ends', content: plain.replaceAll('\n', '\r\n') },
    { form: 'mixed line ends', content: plain.replace('\n', '\r\n') },
    { form: 'no final line ending', content: plain.trimEnd() },
    { form: 'blank lines', content: plain.replaceAll('\n', '\n\n') },
    { form: 'UTF-16, little-endian', content: encodeText(plain, 'utf-16le', true) },
    { form: 'UTF-16, big-endian', content: encodeText(plain, 'utf-16be', true) },
    { form: 'Windows-1252', content: encodeText(plain, 'windows-1252') },
    { form: 'gzip', content: gzipSync(plain) },
  ])('$form: gives the same rows', async ({ form, content }) => {
    const table = await enrich(`${form}.csv`, content);
    expect(ownCells(table)).toEqual(plainCells);
    expect(table.map((cells) => cells[3])).toEqual(['ads_outcome', 'found', 'found']);
  });

  test('standard input is read like a file', async () => {
    const { exitCode, stdout } = await cli().start(['enrich', '-', '--source', 'sample'], { input: plain })
      .ended;
    expect(exitCode).toBe(0);
    expect(ownCells(parse(stdout))).toEqual(plainCells);
  });

  test('a quoted line break stays in its cell, and later rows keep their line numbers', async () => {
    const content = 'company,note\nNike,"one\ntwo"\n,bad\n';
    const table = await enrich('breaks.csv', content);
    expect(table[1]?.slice(0, 3)).toEqual(['Nike', 'one\ntwo', 'found']);
    const { stdout } = await cli().run(['check', 'breaks.csv']);
    expect(stdout).toContain('line 4: no company domain and no company name');
  });

  test('columns can be named without a header', async () => {
    const table = await enrich('bare.csv', 'nike.com,Dana\nikea.com,Priya\n', {
      more: ['--no-header', '--columns', 'domain,owner'],
    });
    expect(ownCells(table)).toEqual([
      ['domain', 'owner'],
      ['nike.com', 'Dana'],
      ['ikea.com', 'Priya'],
    ]);
  });

  test('rows with too many or too few cells are rejected with their cells', async () => {
    const table = await enrich(
      'ragged.csv',
      'company,website\nNike,nike.com,more\nIKEA\nSpotify,spotify.com\n',
    );
    expect(ownCells(table)).toEqual([
      ['company', 'website', 'extra_1'],
      ['Nike', 'nike.com', 'more'],
      ['IKEA', '', ''],
      ['Spotify', 'spotify.com', ''],
    ]);
    expect(table.map((cells) => cells[3])).toEqual(['ads_outcome', 'rejected', 'rejected', 'found']);
  });

  test('misplaced quotes cost at most their row, and titles, empty columns and blank rows none', async () => {
    const content =
      'Exhibitors 2024;;;;\n\ncompany;website;note;;\nNike;nike.com;"so "great"";;\n;;;;\nIKEA;ikea.com;fine;;\n"Fila;fila.com;a;b;c;d\n';
    const table = await enrich('damaged.csv', content);
    expect(table.map((cells) => cells.slice(0, 3))).toEqual([
      ['company', 'website', 'note'],
      ['Nike', 'nike.com', 'so "great"'],
      ['IKEA', 'ikea.com', 'fine'],
      ['"Fila', 'fila.com', 'a'],
    ]);
    const { exitCode, stdout } = await cli().run(['check', 'damaged.csv']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Above      2 lines above the header, left out');
    expect(stdout).toContain('line 4: misplaced quotation marks were read as text');
    expect(stdout).toMatch(
      /line 7: too many fields: 6 fields instead of 3; a quotation mark is never closed/,
    );
  });

  test('reading options replace what is detected', async () => {
    const table = await enrich('options.csv', "x\ny\ncompany::note\n'Nike\\' Inc'::a\n", {
      more: ['--skip-lines', '2', '--delimiter', '::', '--quote', "'", '--escape', '\\'],
    });
    expect(ownCells(table)).toEqual([
      ['company', 'note'],
      ["Nike' Inc", 'a'],
    ]);
  });

  test('@first is the first column, and text of MS-DOS needs its encoding', async () => {
    const bytes = Buffer.from([...Buffer.from('Kfz;x\nM'), 0x81, ...Buffer.from('ller;1\n')]);
    const more = ['--map', 'company_name=@first', '--encoding', 'cp850'];
    expect(ownCells(await enrich('dos.csv', bytes, { more }))).toEqual([
      ['Kfz', 'x'],
      ['Müller', '1'],
    ]);
  });

  test.each(['csv', 'json'])('columns named __proto__ and constructor are kept in %s', async (format) => {
    cli().write('proto.csv', 'company,__proto__,constructor\nNike,one,two\n');
    const { stdout } = await cli().run([
      ...['enrich', 'proto.csv', '--source', 'sample', '-o', '-', '--format', format],
    ]);
    if (format === 'csv') {
      expect(stdout).toMatch(/^company,__proto__,constructor,ads_outcome/);
      expect(stdout).toContain('\nNike,one,two,found,');
    } else
      expect(stdout).toContain(
        '{"company":"Nike","__proto__":"one","constructor":"two","ads_outcome":"found"',
      );
  });

  test('a cell that a spreadsheet would run as a formula is escaped, except with --raw', async () => {
    const content = `company,note\nNike,"=HYPERLINK(""http://a.example"")"\nIKEA,-12.5\nSpotify,@SUM(1)\n`;
    const notes = (table: readonly (readonly string[])[]) => table.slice(1).map((cells) => cells[1]);
    const defused = await enrich('formulas.csv', content);
    expect(notes(defused)).toEqual([`'=HYPERLINK("http://a.example")`, '-12.5', `'@SUM(1)`]);
    const raw = await enrich('formulas.csv', content, { more: ['--raw'] });
    expect(notes(raw)).toEqual(['=HYPERLINK("http://a.example")', '-12.5', '@SUM(1)']);
  });

  test('an export that is loaded again keeps its columns and gets new ones under other names', async () => {
    cli().write('first.csv', plain);
    await cli().run(['enrich', 'first.csv', '--source', 'sample', '-o', 'second.csv']);
    const second = cli().read('second.csv');
    const table = await enrich('second.csv', second);
    const header = parse(second)[0] as unknown as readonly string[];
    expect(table[0]?.slice(0, header.length)).toEqual(header);
    expect(table[0]?.slice(header.length)).toContain('ads_outcome_2');
    expect(new Set(table[0]).size).toBe(table[0]?.length);
    expect(table.map((cells) => cells.slice(0, header.length))).toEqual(parse(second));
  });

  test('an output file that ends in .gz is compressed', async () => {
    cli().write('zip.csv', plain);
    await cli().run(['enrich', 'zip.csv', '--source', 'sample', '-o', 'zip-out.csv.gz']);
    const text = gunzipSync(readFileSync(join(cli().folder, 'zip-out.csv.gz'))).toString();
    expect(ownCells(parse(text))).toEqual(plainCells);
  });

  test.each([
    { what: 'only a header', content: 'company,website\n', rows: 0, rejected: 0 },
    { what: 'no row with a company', content: 'company,website\n,\n-,n/a\n', rows: 1, rejected: 1 },
  ])('$what: a finished batch that costs nothing', async ({ what, content, rows, rejected }) => {
    cli().write(`${what}.csv`, content);
    const answer = await cli().ask(['enrich', `${what}.csv`, '--source', 'sample', '-o', 'none.csv']);
    expect(answer).toMatchObject({
      state: 'finished',
      rows: { total: rows, rejected },
      lookups: { total: 0 },
      credits: { charged: 0, ceiling: 0 },
    });
    expect(cli().read('none.csv').trim().split('\n')).toHaveLength(rows + 1);
  });
});

describe('check with --parsed', () => {
  test('writes the rows of each file as NDJSON, and prints what was refused', async () => {
    cli().write('one.csv', 'Kfz;x\nA;1\n"B"C;2\n');
    cli().write('two.csv', '');
    const files = ['one.csv', 'two.csv', 'missing.csv'];
    const { exitCode, stdout } = await cli().run([
      ...['check', ...files, '--map', 'company_name=@first', '--parsed', 'rows'],
    ]);
    expect(exitCode).toBe(1);
    const printed = stdout.trim().split('\n');
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
      { file: 'one.csv', refused: null },
      { file: 'two.csv', refused: expect.stringContaining('The file is empty') as string },
      { file: 'missing.csv', refused: expect.stringContaining('no such file') as string },
    ]);
    const lines = cli().read('rows/one.csv.ndjson').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { header: ['Kfz', 'x'], delimiter: ';', lines_above: 0 },
      { line: 2, cells: ['A', '1'], problem: null, warning: null },
      { line: 3, cells: ['"B"C', '2'], warning: 'misplaced quotation marks were read as text' },
    ]);
    expect(existsSync(join(cli().folder, 'rows/two.csv.ndjson'))).toBe(false);
  });

  test('rejects several files without it, and two files of one name', async () => {
    const several = await cli().run(['check', 'one.csv', 'two.csv']);
    expect(several).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--parsed') as string });
    const equal = await cli().run(['check', 'one.csv', 'x/one.csv', '--parsed', 'rows']);
    expect(equal).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('one.csv') as string });
  });
});

describe('invalid file is rejected with a remedy', () => {
  test.each([
    { what: 'empty', content: '', says: 'The file is empty' },
    { what: 'equal headers', content: 'company_name,Company Name\na,b\n', says: '--map company_name=COLUMN' },
    { what: 'unknown columns', content: 'a,b\n1,2\n', says: '--map company_name=COLUMN' },
    { what: 'no header', content: 'nike.com,nike.de\n', says: '--no-header --columns' },
    {
      what: 'unknown encoding',
      content: Buffer.from([0x61, 0x0a, 0x81, 0x75, 0x0a]),
      says: '--encoding cp850',
    },
  ])('$what', async ({ what, content, says }) => {
    cli().write(`${what}.csv`, content);
    for (const command of ['check', 'enrich']) {
      const more = command === 'check' ? [] : ['--source', 'sample'];
      const { exitCode, stdout, stderr } = await cli().run([command, `${what}.csv`, ...more]);
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(says);
      expect(stderr).toContain(`${what}.csv`);
    }
  });

  test.each([
    { what: 'a folder', path: 'folder', says: 'folder is a folder. Name a file' },
    { what: 'a missing file', path: 'nowhere.csv', says: 'nowhere.csv: no such file, or permission denied.' },
  ])('$what', async ({ path, says }) => {
    mkdirSync(join(cli().folder, 'folder'), { recursive: true });
    const { exitCode, stdout, stderr } = await cli().run(['enrich', path, '--source', 'sample']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  test('a rejected file leaves no batch', async () => {
    const before = (await cli().ask(['status'])) as { batches: readonly { id: string }[] };
    cli().write('late.csv', `company\n${'Nike\n'.repeat(2000)}"open`);
    const loaded = await cli().run(['load', 'late.csv', '--source', 'sample', '--strict']);
    expect(loaded).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('line 2002') as string });
    expect(await cli().ask(['status'])).toEqual(before);
  });
});

describe('file with other column names', () => {
  const german =
    'Firma;Auftritt;Ort;E-Mail\nNike;nike.com;Köln;a@nike.com\nIKEA;ikea.com;Ulm;b@ikea.com\nPuma;puma.com;Hof;c@puma.com\n';

  test('is recognised, and used and unused columns are shown before any lookup', async () => {
    cli().write('german.csv', german);
    const loaded = await cli().run(['load', 'german.csv', '--source', 'sample']);
    expect(loaded).toMatchObject({ exitCode: 0 });
    expect(loaded.stderr).toContain(
      'Columns: company_name from "Firma", email from "E-Mail"\n' +
        'Not used: Auftritt: looks like web addresses (nike.com, ikea.com, …); to use it: --map company_domain=Auftritt\n' +
        'Not used: Ort: text (Köln, Ulm, …)\n' +
        'Finding: The column "Auftritt" may be company_domain by its values, but not by its name, so it is not used.',
    );
    const checked = await cli().run(['check', 'german.csv']);
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toMatch(/Not used {3}Auftritt: looks like .*\n +Ort: text \(Köln, Ulm, …\)\n/);
    expect(checked.stdout).toContain('Finding    The column "Auftritt" may be company_domain');
    const { stdout } = await cli().run(['check', 'german.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      form: {
        unused: [
          { name: 'Auftritt', looks_like: 'web_address', could_be: 'company_domain' },
          { name: 'Ort', looks_like: 'text', could_be: null },
        ],
        findings: [expect.stringContaining('"Auftritt"') as string],
      },
    });
  });

  test('with ambiguous columns is rejected with a mapping option that works', async () => {
    cli().write('unsure.csv', 'Kunde;E-Mail\nAnker;a@web.de\nBoje;b@gmx.de\nKran;c@web.de\n');
    const refused = await cli().run(['enrich', 'unsure.csv', '--source', 'sample', '-o', '-']);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    const option = /--map (company_name=\w+)/.exec(refused.stderr)?.[1] ?? '';
    expect(
      (await enrich('mapped.csv', 'Kunde;E-Mail\nNike;a@nike.com\n', { more: ['--map', option] })).length,
    ).toBe(2);
    expect(refused.stderr).toMatch(/if none fits, --map company_name=\n/);
  });
});

import { mkdirSync } from 'node:fs';
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
    { what: 'no row with a company', content: 'company,website\n,\n-,n/a\n', rows: 2, rejected: 2 },
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

describe('invalid file is rejected with a remedy', () => {
  test.each([
    { what: 'empty', content: '', says: 'The file is empty' },
    { what: 'duplicate headers', content: 'company,Company Name,company\na,b,c\n', says: '"company"' },
    { what: 'unknown columns', content: 'a,b\n1,2\n', says: '--map company_name=COLUMN' },
    { what: 'no header', content: 'Nike,nike.com\n', says: '--no-header --columns' },
    { what: 'open quote', content: 'company\n"Nike\nIKEA\n', says: 'line 2' },
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
    { what: 'a folder', path: 'folder', says: 'folder is a folder. Name a CSV file' },
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
    expect((await cli().run(['load', 'late.csv', '--source', 'sample'])).exitCode).toBe(2);
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
      'Columns: company_domain from "Auftritt" (by its values), company_name from "Firma", email from "E-Mail"\n' +
        'Not used: Ort: text (Köln, Ulm, …)\n',
    );
    const checked = await cli().run(['check', 'german.csv']);
    expect(checked.stdout).toContain('Not used   Ort: text (Köln, Ulm, …)\n');
    const { stdout } = await cli().run(['check', 'german.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      form: { unused: [{ name: 'Ort', looks_like: 'text', could_be: null }] },
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

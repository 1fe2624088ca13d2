import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTable } from '../../../support/tables/read-list.ts';
import { waitMsMax } from '../../../support/wait-bound.ts';

/** Reads a file that another program made: `test/support/tables/files/make_files.py`. */
const readFile = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../support/tables/files', name));

const leads = {
  sheet: 'Leads',
  sheets: [
    { name: 'Leads', isHidden: false },
    { name: 'Hidden', isHidden: true },
  ],
  header: ['Company', 'Domain', 'Since', 'Employees', 'Share', 'Postcode', 'Visit', 'Active', 'Sum', 'Time'],
};

/** The sum is calculated by LibreOffice, and not by openpyxl. */
function leadRows(sum: string): string[][] {
  return [
    [
      'Nike "Air" Inc',
      'nike.com',
      '2026-11-25',
      '1.23',
      '0.5',
      '01234',
      '2026-11-25 14:30:00',
      'TRUE',
      sum,
      '14:30:00',
    ],
    ['Ümläut & <x>', 'b.de', '1950-01-01', '12345678901234', '0.3', '', '', 'FALSE', '', ''],
    ['two\nlines', '', '', '', '', '', '', '', 'x', '30:00:00'],
  ];
}

test.each([
  ['openpyxl.xlsx', '', 1],
  ['libreoffice.xlsx', '3', 0],
  ['libreoffice.ods', '3', 0],
])('%s is read as it was written', async (name, sum, uncalculatedCells) => {
  const table = await readTable(readFile(name));
  expect(table).toMatchObject({ ...leads, rows: leadRows(sum) });
  expect(table.notes).toEqual({
    hiddenRows: 1,
    errorCells: 1,
    firstErrorCell: 'I5',
    uncalculatedCells,
    firstUncalculatedCell: uncalculatedCells === 0 ? null : 'I4',
    rowsAbove: 1,
  });
});

test.each(['pyarrow-zstd.parquet', 'pyarrow-v2.parquet'])('all types of %s are text', async (name) => {
  const { header, rows } = await readTable(readFile(name));
  const columns = Object.fromEntries(
    header.map((column, index) => [column, rows.map((cells) => cells[index])]),
  );
  expect(columns).toEqual({
    text: ['a', '', 'é'],
    int64: ['4611686018427387905', '', '-5'],
    uint64: ['18446744073709551615', '0', '1'],
    decimal38: ['1.10', '-123456789012345678901234.56', ''],
    decimal9: ['1.10', '-0.05', ''],
    date: ['2026-11-25', '', '1931-01-01'],
    timestamp: ['2026-11-25 14:30:00.123456', '', '1960-01-01 00:00:00'],
    utc: ['1970-01-01 00:00:00.000000001Z', '', '1970-01-02 00:00:00.000000005Z'],
    time: ['01:02:03', '', '01:02:03.5'],
    float32: ['0.1', '', '1e+22'],
    float64: ['0.1', '', '123'],
    bool: ['true', 'false', ''],
    list: ['[1,2]', '', '[]'],
    struct: ['{"x":1,"y":"q"}', '', '{"x":null,"y":""}'],
    binary: ['\\xff00', 'abc', ''],
    map: ['{"k":1}', '', '{}'],
    dictionary: ['x', 'y', 'x'],
    float16: ['1.5', '', '2'],
  });
});

test.each(['pyarrow-delta-1.parquet', 'pyarrow-delta-2.parquet'])(
  'delta encodings of %s are read',
  async (name) => {
    const { rows } = await readTable(readFile(name));
    const expected = Array.from({ length: 500 }, (_, index) => {
      const text = `company ${index}.example.com`;
      return [text, text, String(index * index)];
    });
    expect(rows).toEqual([...expected, ['', '', '']]);
  },
);

const libreOffice = ['soffice', 'libreoffice'].find(canRun);
const lacking = libreOffice === undefined ? ' (not run: no LibreOffice)' : '';

describe.skipIf(libreOffice === undefined)(`LibreOffice${lacking}`, () => {
  test.each(['xlsx', 'ods'])(
    'cells of a CSV file are the same after a conversion to %s',
    async (format) => {
      const folder = mkdtempSync(join(tmpdir(), 'nightshift-office-'));
      try {
        writeFileSync(
          join(folder, 'list.csv'),
          'company,n,day\n"Müller & <Söhne>, Ltd",1.5,2026-11-25\n"two\nlines",-3,1999-12-31\n',
        );
        const profile = `-env:UserInstallation=file://${folder}/profile`;
        const filter = '--infilter=Text - txt - csv (StarCalc):44,34,76,1,1/2/2/1/3/5';
        const options = ['--headless', profile, filter, '--convert-to', format, '--outdir', folder];
        execFileSync(libreOffice ?? '', [...options, join(folder, 'list.csv')], {
          stdio: 'ignore',
          timeout: waitMsMax,
        });
        const { header, rows } = await readTable(readFileSync(join(folder, `list.${format}`)));
        expect(header).toEqual(['company', 'n', 'day']);
        expect(rows).toEqual([
          ['Müller & <Söhne>, Ltd', '1.5', '2026-11-25'],
          ['two\nlines', '-3', '1999-12-31'],
        ]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

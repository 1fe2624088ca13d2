import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportFormats, type ReportFormat } from '../../../../src/reporter/formats/report-format.ts';
import type { Cell, ReportColumn } from '../../../../src/reporter/formats/report-row.ts';
import { writeReport } from '../../../../src/reporter/export/write-report.ts';
import { readContent } from '../../../support/csv/company-files.ts';
import { about, temporaryFolder } from '../reporter/sample-report.ts';

const columns: readonly ReportColumn[] = [
  { name: 'company', own: true },
  { name: 'website', own: true },
  { name: 'note', own: true },
  { name: 'constructor', own: true },
  { name: '__proto__', own: true },
  { name: 'ads_count', own: false, kind: 'count' },
  { name: 'ads_credits_consumed', own: false, kind: 'credits' },
  { name: 'ads_from_cache', own: false, kind: 'flag' },
  { name: 'last_seen', own: false, kind: 'day' },
  { name: 'ads_observed_at', own: false, kind: 'moment' },
];

/** Texts that break a format: names of the members of objects, escapes of XML, formulas, characters that no XML has. */
const texts = [
  'constructor',
  'valueOf',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'Nike "Air" Inc; GmbH, & <b>',
  'two\nlines',
  '_x0041_ and _x005F_',
  'replaced \ufffd and \u000b',
  '=1+1',
  '@SUM(A1)',
  '007',
  ' blanks around ',
  'Größe 😀',
  '1e5',
  'TRUE',
];

const lines: readonly (readonly Cell[])[] = texts.map((text, index) => [
  text,
  `a${index}.com`,
  text,
  text,
  text,
  index,
  index / 5,
  index % 2 === 0,
  '2026-02-28',
  '2026-03-01T04:05:06.789Z',
]);

/** Reads an export of the lines as a list. */
async function readBack(format: ReportFormat) {
  const target = join(await temporaryFolder(), `out.${format}`);
  const blocks = (async function* () {
    yield lines;
  })();
  await writeReport({ columns, blocks }, { format, target, about, raw: true });
  return readContent(await readFile(target));
}

/**
 * Spelling of a value without those parts in which formats differ: case of truth values, zeros of decimals, separators and
 * zone of times. */
function plain(cell: string): string {
  return cell
    .toLowerCase()
    .replace(/^(\d{4}-\d\d-\d\d)[t ](.*?)z?$/, '$1 $2')
    .replace(/^(\d+)\.(\d*?)0*$/, (_, whole: string, digits: string) =>
      digits === '' ? whole : `${whole}.${digits}`,
    );
}

test.each(reportFormats)('an export as %s is read back as a list with equal rows', async (format) => {
  const { file, rows } = await readBack(format);
  expect(file.form).toMatchObject({
    format,
    header: columns.map(({ name }) => name),
    fields: { company_domain: 1, company_name: 0, email: null },
  });
  expect(rows.map(({ problem }) => problem)).toEqual(lines.map(() => null));
  const own = (cells: readonly unknown[]) => cells.slice(0, 5);
  expect(rows.map(({ cells }) => own(cells))).toEqual(lines.map(own));
  const ours = (cells: readonly unknown[]) => cells.slice(5).map((cell) => plain(String(cell)));
  expect(rows.map(({ cells }) => ours(cells))).toEqual(lines.map(ours));
});

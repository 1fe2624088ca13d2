import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRow } from '../../../../../src/producer/rows/parse-row.ts';
import { readContent } from '../../../../support/csv/company-files.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

const words = ['Anker', 'Boje', 'Kran', 'Lotse', 'Mast', 'Ponton', 'Reling', 'Segel', 'Takel', 'Winsch'];
const word = fc.constantFrom(...words);
const empty = fc.constant('');

/** Columns of lists of companies, with their cells; some cells of most columns are empty. */
const kinds = {
  Company: word.map((text) => `${text} GmbH`),
  Website: fc.oneof({ weight: 4, arbitrary: word.map((text) => `www.${text.toLowerCase()}.de`) }, empty),
  Email: fc.oneof({ weight: 3, arbitrary: word.map((text) => `info@${text.toLowerCase()}.com`) }, empty),
  City: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('Berlin', 'Ulm', 'Hof') }, empty),
  Blog: fc.oneof(
    word.map((text) => `blog.${text.toLowerCase()}.net`),
    empty,
  ),
  Employees: fc.oneof(fc.nat(500).map(String), empty),
  Note: fc.oneof(word, empty),
};
type Column = keyof typeof kinds;

const columns = fc
  .shuffledSubarray(Object.keys(kinds) as Column[], { minLength: 3 })
  .filter((names) => names.includes('Company') || names.includes('Website'));
const shifts = fc.record({
  columns,
  delimiter: fc.constantFrom(',', ';', '\t'),
  /** Delimiters at the end of every row. */
  ending: fc.constantFrom(0, 0, 1, 3),
  kind: fc.constantFrom('dropped', 'added'),
  row: fc.nat(),
  at: fc.nat(),
  cell: fc.oneof(empty, word),
});
const files = shifts.chain((shift) =>
  fc
    .array(fc.tuple(...shift.columns.map((name) => kinds[name])), { minLength: 8, maxLength: 20 })
    .map((rows) => ({ ...shift, rows: rows.filter((cells) => cells.some((cell) => cell !== '')) })),
);

test('a row in which a cell was dropped or added is rejected, or taken with a warning', async () => {
  const property = fc.asyncProperty(files, async ({ rows, row, at, kind, cell, ending, ...file }) => {
    const shifted = row % rows.length;
    const lines = rows.map((cells, index) => {
      const written = [...cells, ...Array<string>(ending).fill('')];
      if (index === shifted && kind === 'dropped') written.splice(at % cells.length, 1);
      if (index === shifted && kind === 'added') written.splice(at % (cells.length + 1), 0, cell);
      return written.join(file.delimiter);
    });
    fc.pre(lines[shifted]?.replaceAll(file.delimiter, '') !== '');
    const content = [file.columns.join(file.delimiter), ...lines, ''].join('\n');
    const read = await readContent(content, { map: mapOf(file.columns), delimiter: file.delimiter });
    const parsed = read.rows.map((one) => ({ lineNo: one.lineNo, one: parseRow(one, read.file.form) }));
    const found = parsed.find(({ lineNo }) => lineNo === shifted + 2)?.one;
    expect(found?.kind === 'rejected' || found?.warning).toBeTruthy();
    expect(parsed).toHaveLength(rows.length);
    const others = read.rows.filter(({ lineNo }) => lineNo !== shifted + 2);
    expect(others.every(({ problem, warning }) => problem === null && warning === null)).toBe(true);
  });
  await fc.assert(property, { seed: takeSeedNumber(), numRuns: randomRuns(10_000) });
});

function mapOf(names: readonly Column[]): Readonly<Record<string, string>> {
  const column = (name: Column) => (names.includes(name) ? name : '');
  return { company_name: column('Company'), company_domain: column('Website'), email: column('Email') };
}

import { isDeepStrictEqual, toUSVString } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRow } from '../../../../../src/producer/rows/parse-row.ts';
import { damagedFiles } from '../../../../support/csv/damaged-files.ts';
import { cutInto, outcomeOf, type ReadOutcome } from '../../../../support/reports/read-outcome.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';
import { writtenTables, type WrittenTable } from '../../../../support/csv/written-tables.ts';

/** Number of files of each test. */
const numRuns = randomRuns(10_000);
const timeoutMs = 240_000;

/** Sizes of the chunks of a file in bytes, used in turn. */
const borders = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });

test(
  'a table in any format and chunking is read exactly or rejected as a whole',
  async () => {
    const property = fc.asyncProperty(writtenTables, borders, async (written, sizes) => {
      const { content, options } = written;
      const whole = await outcomeOf([content], options);
      expectEqual(await outcomeOf(cutInto(content, sizes), options), whole);
      expectWritten(whole, written);
      expectCounted(whole);
    });
    await fc.assert(property, { seed: takeSeedNumber(), numRuns });
  },
  timeoutMs,
);

test(
  'any bytes result in the same rows or the same error for any chunking, without lost rows',
  async () => {
    const encodings = fc.constantFrom({}, {}, { encoding: 'windows-1252' }, { encoding: 'utf-16le' });
    const property = fc.asyncProperty(damagedFiles, borders, encodings, async (content, sizes, options) => {
      const whole = await outcomeOf([content], options);
      expectSame(await outcomeOf(cutInto(content, sizes), options), whole);
      expectCounted(whole);
    });
    await fc.assert(property, { seed: takeSeedNumber(), numRuns });
  },
  timeoutMs,
);

/** A well-formed table is read unchanged; a misplaced quote in its last row costs that row. */
function expectWritten(outcome: ReadOutcome, written: WrittenTable): void {
  const { writing, header, badLineNo, isFlawed } = written;
  if (badLineNo !== null) {
    expect(outcome).toMatchObject({ kind: 'refused', where: `list.csv:${badLineNo}` });
    return;
  }
  expect(outcome).toMatchObject({ kind: 'read' });
  if (outcome.kind === 'refused') return;
  const { encoding, delimiter, gzip } = writing;
  const containers = gzip ? ['gzip'] : [];
  expect(outcome.check.form).toMatchObject({ encoding, delimiter, containers, header });
  const due = dueRows(written);
  const sound = isFlawed ? due.filter(({ lineNo }) => lineNo !== written.lineNos.at(-1)) : due;
  const rows = outcome.rows.map(({ cells, lineNo, rowNo, problem }) => ({
    cells,
    lineNo,
    rowNo,
    isSound: problem === null,
  }));
  expectEqual(rows.slice(0, sound.length), sound);
  const rest = outcome.rows.slice(sound.length);
  expect(rest.length > 0).toBe(isFlawed);
  expect(rest.every(({ problem, warning }) => problem === null && warning === null)).toBe(!isFlawed);
}

/** Rows with content, as they must be read. A row is sound when it fills its columns, and has no character that is replaced. */
function dueRows({ table, lineNos }: WrittenTable) {
  const isFilled = (cell: string) => cell.trim() !== '';
  return table
    .map((row, index) => ({ row, lineNo: lineNos[index] }))
    .filter(({ row }) => row.some(isFilled))
    .map(({ row, lineNo }, index) => {
      const cells = row.slice(3).some(isFilled) ? row : row.slice(0, 3);
      return {
        cells: cells.map(storable),
        lineNo,
        rowNo: index + 1,
        isSound: cells.length === 3 && row.every((cell) => storable(cell) === cell),
      };
    });
}

/**
 * Expects the same rows, or the same error. One case is open: for a gzip file with an error more than 256 KiB before its damage, either can
 * be reported, because the damage loses the output that the decompressor had ready.
 */
function expectSame(cut: ReadOutcome, whole: ReadOutcome): void {
  const isDamaged = [cut, whole].some(
    (one) => one.kind === 'refused' && one.message.includes('The gzip data is damaged'),
  );
  if (isDamaged && cut.kind === whole.kind) return;
  expectEqual(cut, whole);
}

/** Compares quickly first: the comparison that shows the difference is slow for large tables. */
function expectEqual(got: unknown, due: unknown): void {
  if (!isDeepStrictEqual(got, due)) expect(got).toEqual(due);
}

/** Converts a cell to a text that Postgres can store: NUL becomes its symbol, a lone surrogate U+FFFD. */
function storable(cell: string): string {
  return toUSVString(cell).replaceAll('\0', '\u2400');
}

/** Every row adds a company, is a duplicate, or is rejected. */
function expectCounted(outcome: ReadOutcome): void {
  if (outcome.kind === 'refused') return;
  const { rows, check } = outcome;
  const parsed = rows.map((row) => parseRow(row, check.form));
  const keys = parsed.flatMap((one) => (one.kind === 'row' && one.company !== null ? [one.company.key] : []));
  const { total, rejected, duplicates } = check.rows;
  expect([total, rejected, check.companies]).toEqual([
    rows.length,
    rows.length - keys.length,
    new Set(keys).size,
  ]);
  expect(rejected + duplicates + check.companies).toBe(rows.length);
}

import { isDeepStrictEqual, toUSVString } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRow } from '../../../../../src/producer/rows/parse-row.ts';
import { damagedFiles } from '../../../../support/csv/damaged-files.ts';
import {
  countRecords,
  cutInto,
  outcomeOf,
  type ReadOutcome,
} from '../../../../support/reports/read-outcome.ts';
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
      expectConserved(whole, content);
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
      expectConserved(whole, content);
    });
    await fc.assert(property, { seed: takeSeedNumber(), numRuns });
  },
  timeoutMs,
);

/** A valid table is read unchanged; an error is reported on its line. */
function expectWritten(outcome: ReadOutcome, written: WrittenTable): void {
  const { writing, table, lineNos, badLineNo, header } = written;
  if (badLineNo !== null) {
    expect(outcome).toMatchObject({ kind: 'refused', where: `list.csv:${badLineNo}` });
    return;
  }
  expect(outcome).toMatchObject({ kind: 'read' });
  if (outcome.kind === 'refused') return;
  const { encoding, delimiter, gzip: compressed } = writing;
  expect(outcome.check.form).toMatchObject({ encoding, delimiter, compressed, header });
  const rows = outcome.rows.map(({ cells, lineNo, rowNo }) => ({ cells, lineNo, rowNo }));
  const due = table.map((row, i) => ({ cells: row.map(storable), lineNo: lineNos[i], rowNo: i + 1 }));
  expectEqual(rows, due);
  const isSound = (row: readonly string[]) =>
    row.length === 3 && row.every((cell) => storable(cell) === cell);
  expectEqual(
    outcome.rows.map((row) => row.problem === null),
    table.map(isSound),
  );
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

/** Every record except the header is a row, and every row adds a company, is a duplicate, or is rejected. */
function expectConserved(outcome: ReadOutcome, content: Buffer): void {
  if (outcome.kind === 'refused') return;
  const { rows, check } = outcome;
  expect(rows).toHaveLength(countRecords(content, check) - 1);
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

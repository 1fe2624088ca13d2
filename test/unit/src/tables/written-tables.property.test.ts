import { toUSVString } from 'node:util';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { randomRuns } from '../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';
import { readTable } from '../../../support/tables/read-list.ts';

const timeoutMs = 240_000;
const seed = () => ({ seed: takeSeedNumber(), numRuns: randomRuns(2_000) });

/** Text that all formats can hold: no NUL, no lone surrogates. */
const texts = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => toUSVString(text).replaceAll('\0', ''));
/**
 * Characters that XML normalizes or does not allow need escapes, which this writer does not write. Names of the members of objects, such as
 * `valueOf`, it takes for texts that it has written already.
 */
const workbookTexts = texts
  .map((text) => text.replace(/[\p{Cc}\ufffd-\uffff]|_x[0-9a-f]{4}_/giu, ''))
  .filter((text) => text !== '' && !(text in Object.prototype));

/** Cell as it is written, and its text. */
interface Cell {
  readonly written: string | number | boolean | Date | null;
  readonly text: string;
}

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e14, max: 1e14 }).map(withoutTiny),
);
const days = fc
  .integer({ min: 1, max: 47_000 })
  .map((day) => new Date(Date.UTC(1900, 2, 1) + day * 86_400_000));
const cells: fc.Arbitrary<Cell> = fc.oneof(
  workbookTexts.map((text) => ({ written: text, text })),
  numbers.map((number) => ({ written: number, text: shortText(number) })),
  fc.boolean().map((flag) => ({ written: flag, text: flag ? 'TRUE' : 'FALSE' })),
  days.map((day) => ({ written: day, text: day.toISOString().slice(0, 10) })),
  fc.constant({ written: null, text: '' }),
);

/** Tiny numbers keep their exponent. */
function withoutTiny(value: number): number {
  return Math.abs(value) < 1e-9 ? 0 : value;
}

/** Row without empty cells at its end. */
function trimmed(row: readonly string[]): readonly string[] {
  return row.slice(0, row.findLastIndex((text) => text !== '') + 1);
}

/** Text of a number with 15 significant digits, without an exponent. */
function shortText(number: number): string {
  const [digits = '', exponent] = number.toExponential(14).split('e');
  const places = 14 - Number(exponent);
  const isNegative = digits.startsWith('-');
  const all = digits.replace(/[-.]/g, '');
  const padded = places > 14 ? all.padStart(places + 1, '0') : all;
  const whole = places > 0 ? padded.slice(0, -places) : padded.padEnd(15 - places, '0');
  const fraction = places > 0 ? padded.slice(-places).replace(/0+$/, '') : '';
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return isNegative && /[1-9]/.test(text) ? `-${text}` : text;
}

test(
  'a workbook that write-excel-file writes is read back',
  async () => {
    const table = fc.record({
      header: fc.array(workbookTexts, { minLength: 1, maxLength: 4 }),
      rows: fc.array(fc.array(cells, { minLength: 4, maxLength: 4 }), { maxLength: 10 }),
    });
    const property = fc.asyncProperty(table, async ({ header, rows }) => {
      const lines = rows.map((row) =>
        row.map(({ written }) => {
          if (written === null) return null;
          if (written instanceof Date) return { value: written, type: Date, format: 'yyyy-mm-dd' };
          return { value: written };
        }),
      );
      const file = await writeExcelFile([
        header.map((value) => ({ value, type: String })),
        ...lines,
      ]).toBuffer();
      const read = await readTable(file, { skipRows: 0 });
      const expected = rows
        .map((row) => row.map(({ text }) => text))
        .filter((row) => row.some((text) => text !== ''));
      expect(trimmed(read.header)).toEqual(trimmed(header));
      expect(read.rows.map(trimmed)).toEqual(expected.map(trimmed));
    });
    await fc.assert(property, seed());
  },
  timeoutMs,
);

test(
  'a Parquet file that hyparquet-writer writes is read back',
  async () => {
    const columns = fc.integer({ min: 1, max: 30 }).chain((rows) => {
      const columnOf = <Value>(value: fc.Arbitrary<Value>) =>
        fc.array(fc.option(value), { minLength: rows, maxLength: rows });
      return fc.record({
        text: columnOf(texts),
        long: columnOf(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
        double: columnOf(fc.double({ noNaN: true, noDefaultInfinity: true })),
        flag: columnOf(fc.boolean()),
        groupRows: fc.integer({ min: 1, max: 40 }),
      });
    });
    const property = fc.asyncProperty(columns, async ({ text, long, double, flag, groupRows }) => {
      const file = parquetWriteBuffer({
        columnData: [
          { name: 'text', data: text, type: 'STRING' },
          { name: 'long', data: long, type: 'INT64' },
          { name: 'double', data: double, type: 'DOUBLE' },
          { name: 'flag', data: flag, type: 'BOOLEAN' },
        ],
        rowGroupSize: groupRows,
      });
      const { rows } = await readTable(Buffer.from(file));
      const shown = (value: string | bigint | number | boolean | null | undefined) => String(value ?? '');
      expect(rows).toEqual(
        text.map((_, index) => [text, long, double, flag].map((data) => shown(data[index]))),
      );
    });
    await fc.assert(property, seed());
  },
  timeoutMs,
);

test(
  'JSON lists that JSON.stringify writes are read back, as lines and as an array, in any chunks',
  async () => {
    const values = fc.oneof(
      texts,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const keys = fc.oneof(fc.constantFrom('company', 'domain', '__proto__', ''), texts);
    const lists = fc.array(fc.dictionary(keys, values, { maxKeys: 4 }), { minLength: 2, maxLength: 8 });
    const property = fc.asyncProperty(
      lists,
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      async (list, chunkBytes, indent) => {
        const header = [...new Set(list.flatMap((record) => Object.keys(record)))];
        const rows = list.map((record) =>
          header.map((key) => (Object.hasOwn(record, key) ? cellOf(record[key]) : '')),
        );
        const lines = list.map((record) => JSON.stringify(record)).join('\n');
        const array = indent ? JSON.stringify(list, null, 2) : JSON.stringify(list);
        for (const [format, file] of [
          ['ndjson', lines],
          ['json', array],
        ] as const)
          expect(await readTable(file, { chunkBytes })).toMatchObject({ format, header, rows });
      },
    );
    await fc.assert(property, seed());
  },
  timeoutMs,
);

function cellOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

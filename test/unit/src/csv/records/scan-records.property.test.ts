import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { RecordForm } from '../../../../../src/csv/records/record-form.ts';
import { scanText } from '../../../../support/csv/scan-text.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

const numRuns = randomRuns(3_000);
const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const forms: fc.Arbitrary<RecordForm> = fc
  .tuple(fc.constantFrom(',', ';', '\t', '||', ', '), fc.constantFrom('"', "'"), fc.constantFrom('', '\\'))
  .map(([delimiter, quote, escape]) => ({ delimiter, quote, escape: escape === '' ? quote : escape }));
const scraps = fc
  .array(
    fc.constantFrom(
      'a',
      'é😀',
      ',',
      ';',
      '||',
      ', ',
      '"',
      '""',
      "'",
      '\\"',
      '\n',
      '\r\n',
      '\r',
      '\n"',
      ',"',
      '",',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));
const cells = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', '\r', 'ß'),
  maxLength: 8,
});
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cells, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  );
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

describe('record scanner', () => {
  test('returns the same records for any chunks of any text', () => {
    const property = fc.property(
      scraps,
      forms,
      fc.constantFrom(null, 1, 2, 3),
      pieces,
      (text, form, width, sizes) => {
        const whole = scanText(text, { form, width });
        expect(scanText(text, { form, width, sizes })).toEqual(whole);
      },
    );
    fc.assert(property, { seed: takeSeedNumber(), numRuns });
  });

  test('returns the same records for any chunks where quotes are searched in a few characters only', () => {
    const property = fc.property(scraps, forms, pieces, (text, form, sizes) => {
      const limits = { form, width: 2, charsMax: 12 };
      expect(scanText(text, { ...limits, sizes })).toEqual(scanText(text, limits));
    });
    fc.assert(property, { seed: takeSeedNumber(), numRuns });
  });

  test('reads a well-formed table as csv-parse does', () => {
    const property = fc.property(tables, lineEnds, fc.boolean(), (table, lineEnd, quotesAll) => {
      const text = table
        .map((row) => row.map((cell) => written(cell, quotesAll)).join(',') + lineEnd)
        .join('');
      const due = parse(text, {
        relax_column_count: true,
        skip_empty_lines: true,
        record_delimiter: lineEnd,
      });
      const records = scanText(text, { width: table[0]?.length ?? null });
      expect(records.map(({ cells: found }) => found)).toEqual(due);
      expect(records.every(({ reading }) => reading === 'rules')).toBe(true);
    });
    fc.assert(property, { seed: takeSeedNumber(), numRuns });
  });

  test('loses no character except delimiters, quotes and line ends', () => {
    const property = fc.property(scraps, fc.constantFrom(null, 1, 2, 3), (text, width) => {
      const kept = scanText(text, { width }).map(({ cells: found }) => found.join(''));
      expect(bare(kept.join(''))).toBe(bare(text));
    });
    fc.assert(property, { seed: takeSeedNumber(), numRuns });
  });
});

function written(cell: string, quotesAll: boolean): string {
  return quotesAll || cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function bare(text: string): string {
  return text.replace(/[",\r\n]/g, '');
}

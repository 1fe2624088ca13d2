import { describe, expect, test } from 'vitest';
import { packRows } from '../../../../db/stores/batches/pack-rows.ts';
import type { NewRow } from '../../../../src/core/batches/batch-store.ts';

/** The columns of each line, after the id of the batch. */
function linesOf(rows: readonly NewRow[]): readonly (readonly string[])[] {
  const text = Buffer.from(packRows(7, rows)).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').slice(1));
}

function rowOf(rowNo: number, given: Partial<NewRow> = {}): NewRow {
  const ads = { lookupId: 100 + rowNo, isFirst: true };
  const cells = [`a${rowNo}`, ''];
  return { rowNo, lineNo: rowNo + 1, cells, ads, email: null, rejectReason: null, warning: null, ...given };
}

const none = '\\N';

describe('packed rows', () => {
  test('of consecutive lines and lookups have the first of each only', () => {
    expect(linesOf([rowOf(33), rowOf(34)])).toEqual([
      ['1', '2', '{34}', 'a33\x1f\x1ea34\x1f', none, '{133}', none, none, none, none, none],
    ]);
  });

  test('have a line per 32 rows, and the last one may have fewer', () => {
    const lines = linesOf(Array.from({ length: 70 }, (_, i) => rowOf(i + 1)));
    expect(lines.map(([blockNo, rows]) => [blockNo, rows])).toEqual([
      ['0', '32'],
      ['1', '32'],
      ['2', '6'],
    ]);
  });

  test('have all lines, lookups, reasons and warnings where one does not follow', () => {
    const rejected = rowOf(2, { lineNo: 5, ads: null, rejectReason: 'no "domain"' });
    const repeated = rowOf(3, { lineNo: 6, ads: { lookupId: 101, isFirst: false }, warning: 'odd' });
    expect(linesOf([rowOf(1), rejected, repeated])[0]?.slice(2)).toEqual([
      '{2,5,6}',
      'a1\x1f\x1ea2\x1f\x1ea3\x1f',
      none,
      '{101,NULL,101}',
      '4',
      none,
      none,
      '{NULL,"no \\\\"domain\\\\"",NULL}',
      '{NULL,NULL,"odd"}',
    ]);
  });

  test('have the bit of the last row of a block as a negative number, as Postgres does', () => {
    const rows = Array.from({ length: 32 }, (_, i) =>
      rowOf(i + 1, i === 31 ? { ads: { lookupId: 101, isFirst: false } } : {}),
    );
    expect(linesOf(rows)[0]?.[6]).toBe('-2147483648');
  });

  test.each([
    ['a separator of cells', ['a\x1fb', 'c'], '{"{\\\\"a\x1fb\\\\",\\\\"c\\\\"}"}'],
    ['a separator of rows', ['a\x1eb'], '{"{\\\\"a\x1eb\\\\"}"}'],
    ['no text', [''], '{"{\\\\"\\\\"}"}'],
    ['no cells', [], '{"{}"}'],
  ])('are arrays if a row has %s', (_what, cells, expected) => {
    expect(linesOf([rowOf(1, { cells })])[0]?.slice(3, 5)).toEqual([none, expected]);
  });

  test('that begin within a block are a mistake', () => {
    expect(() => packRows(7, [rowOf(2)])).toThrow('from the first row of a block');
  });
});

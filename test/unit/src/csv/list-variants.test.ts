import { expect, test } from 'vitest';
import { parseRow } from '../../../../src/producer/rows/parse-row.ts';
import { readContent } from '../../../support/csv/company-files.ts';
import { listRows, listVariants } from '../../../support/csv/list-variants.ts';

test('the list has at least fifty variants', () => {
  expect(new Set(listVariants.map(({ name }) => name)).size).toBe(listVariants.length);
  expect(listVariants.length).toBeGreaterThanOrEqual(50);
});

test.each(listVariants)(
  'a list is read with all its companies: $name',
  async ({ content, options = {}, rejectedRow, warnedRow, columns = 6 }) => {
    const { file, rows } = await readContent(content, options);
    const { header } = file.form;
    expect(rows).toHaveLength(listRows.length);
    rows.forEach((row, index) => {
      const parsed = parseRow(row, file.form);
      if (index === rejectedRow) return expect(parsed).toMatchObject({ kind: 'rejected' });
      const isWarned = warnedRow === 'all' || warnedRow === index;
      const warning = isWarned ? (expect.anything() as string) : null;
      if (warnedRow !== 'all') expect(parsed).toMatchObject({ kind: 'row', warning });
      const cells = listRows[index] ?? [];
      const due = { Firma: cells[0], Webseite: cells[1], Ort: cells[2] };
      for (const [name, cell] of Object.entries(due).slice(0, columns)) {
        if (isWarned && name === 'Firma' && warnedRow !== 'all') continue;
        expect(row.cells[header.indexOf(name)]?.trim().replace(/ "Nord"$/, '')).toBe(cell);
      }
      return undefined;
    });
  },
);

/** Value of a cell, for sorting and copying; null: none. */
export type CellValue = string | number | null;

/** Order of a table: a column and its direction. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts rows by a value; rows without a value come last in both directions. Rows with the same value keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => CellValue,
  { isDescending }: Pick<Sort, 'isDescending'>,
): readonly Row[] {
  const direction = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return direction * compare(one, other);
    })
    .map(({ row }) => row);
}

/** Parses an order in the URL: a column, with a minus for descending. */
export function parseSort(text: string): Sort | null {
  if (text === '') return null;
  return text.startsWith('-')
    ? { column: text.slice(1), isDescending: true }
    : { column: text, isDescending: false };
}

/** Formats the order that a click on a column leads to: ascending, descending, none. */
export function nextSort(current: Sort | null, column: string): string {
  if (current?.column !== column) return column;
  return current.isDescending ? '' : `-${column}`;
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return texts.compare(String(one), String(other));
}

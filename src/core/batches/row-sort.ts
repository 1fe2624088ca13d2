/** Columns of a batch's results that its rows can be sorted by; and `cells.N`, the column N of the file, from 1. */
export const sortColumns = ['row', 'company', 'outcome', 'ads', 'source', 'credits', 'email'] as const;
export type SortColumn = (typeof sortColumns)[number];

/** Order of the rows of a batch. Rows without a value come last in both directions, and equal ones keep the order of the file. */
export interface RowSort {
  /** A column of the results, or the number of a column of the file, from 1. */
  readonly column: SortColumn | number;
  readonly isDescending: boolean;
}

/** Form of an order as text: a column, with a minus for descending. */
export const rowSortPattern = new RegExp(`^-?(?:${sortColumns.join('|')}|cells\\.[1-9]\\d{0,3})$`);

/** Parses the text of an order, such as `-ads` or `cells.3`. Null for the order of the file, and for any other text. */
export function parseRowSort(text: string): RowSort | null {
  if (!rowSortPattern.test(text)) return null;
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  if (name === 'row' && !isDescending) return null;
  const column = sortColumns.find((each) => each === name) ?? Number(name.slice('cells.'.length));
  return { column, isDescending };
}

/** Formats an order as `parseRowSort` parses it. */
export function formatRowSort({ column, isDescending }: RowSort): string {
  const name = typeof column === 'number' ? `cells.${column}` : column;
  return isDescending ? `-${name}` : name;
}

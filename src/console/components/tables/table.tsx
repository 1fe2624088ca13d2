import type { ComponentChildren } from 'preact';
import type { CellValue } from './sort-rows.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are right-aligned, with tabular figures. Default `text`. */
  readonly kind?: 'text' | 'number' | 'day';
  /** The cell that names the row. */
  readonly isHeading?: boolean;
  /** Name of the column in the URL. Default: `head`. */
  readonly id?: string;
  /** Value of the cell, to sort rows and to copy them; null: none. Without it, a table cannot be sorted by the column. */
  readonly value?: (row: Row) => CellValue;
  /** Not shown until the user chooses it. */
  readonly isHidden?: boolean;
}

/**
 * Table. On a phone every row is a card, each cell under the name of its column.
 *
 * @param caption for screen readers; `isCaptionShown` shows it to everyone.
 */
export function Table<Row>({
  caption,
  isCaptionShown = false,
  columns,
  rows,
  keyOf,
  rowClass,
}: {
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="cards">
        <caption class={isCaptionShown ? undefined : 'hidden'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, kind }) => (
              <th key={head} scope="col" class={kind}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={rowClass?.(row)}>
              {columns.map(({ head, cell, kind, isHeading }) =>
                isHeading === true ? (
                  <th key={head} scope="row" class={kind} data-label={head}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} class={kind} data-label={head}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import type { GridColumn } from './grid-column.ts';

/** Row of a table. `isSelected`: null for a row that cannot be selected. */
export function GridRow<Row>({
  row,
  index,
  columns,
  className,
  isSelected,
  onSelect,
}: {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly className: string | undefined;
  readonly isSelected: boolean | null;
  /** Called with true as the second argument for a click with Shift. */
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void;
}) {
  return (
    <tr class={className} data-index={index} tabIndex={-1} aria-rowindex={index + 2}>
      {isSelected !== null && (
        <td class="select">
          <input
            type="checkbox"
            aria-label={`Select row ${index + 1}`}
            checked={isSelected}
            onClick={({ currentTarget, shiftKey }) => onSelect(currentTarget.checked, shiftKey)}
          />
        </td>
      )}
      {columns.map(({ id, head, cell, kind, isHeading }) =>
        isHeading === true ? (
          <th key={id} scope="row" class={kind} data-label={head}>
            {cell(row)}
          </th>
        ) : (
          <td key={id} class={kind} data-label={head}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

import type { GridColumn } from './grid-column.ts';
import type { Sort } from './sort-rows.ts';

/** Heading of a column; a button that sorts, where the column has values. */
export function HeadCell<Row>({
  column: { id, head, kind, value },
  sort,
  onSort,
}: {
  readonly column: GridColumn<Row>;
  readonly sort: Sort | null;
  readonly onSort: (column: string) => void;
}) {
  const isSorted = sort?.column === id;
  const direction = isSorted && sort.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind} aria-sort={isSorted ? direction : undefined}>
      {value === undefined ? (
        head
      ) : (
        <button type="button" class="sort" onClick={() => onSort(id)}>
          {head}
          <span class="sort-mark" aria-hidden="true">
            {sortMark(isSorted, direction)}
          </span>
        </button>
      )}
    </th>
  );
}

function sortMark(isSorted: boolean, direction: 'ascending' | 'descending'): string {
  if (!isSorted) return '↕';
  return direction === 'ascending' ? '↑' : '↓';
}

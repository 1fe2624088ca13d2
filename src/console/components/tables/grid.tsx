import { useRef } from 'preact/hooks';
import type { GridColumn } from './grid-column.ts';
import { GridRow } from './grid-row.tsx';
import { HeadCell } from './head-cell.tsx';
import type { Selection } from './selection.ts';
import type { Sort } from './sort-rows.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/**
 * Table with a header that stays, keyboard movement between rows, and any number of rows: it renders those on the screen. On a phone every
 * row is a card.
 */
export function Grid<Row>({
  caption,
  columns,
  rows,
  keyOf,
  rowClass,
  isDense,
  sort,
  onSort,
  selection,
  onEnd,
  loadRest,
}: {
  readonly caption: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: ((row: Row) => string | undefined) | undefined;
  /** Every row is one line: then a long table renders only the visible ones. */
  readonly isDense: boolean;
  readonly sort: Sort | null;
  readonly onSort: (column: string) => void;
  readonly selection: Selection | null;
  /** Called when the user scrolls close to the last row. */
  readonly onEnd: () => void;
  /** Loads the rows that are not loaded; null when all are. */
  readonly loadRest: (() => void) | null;
}) {
  const view = useVisibleRows(rows.length, { isDense, onEnd });
  const { range, rowHeight } = view;
  const onKeyDown = useRowKeys({ rows, keyOf, selection, loadRest, view });
  const select = useRangeSelection({ rows, keyOf, selection });
  const span = columns.length + (selection === null ? 0 : 1);
  return (
    <div
      class={isDense ? 'scroll grid dense' : 'scroll grid'}
      tabIndex={0}
      role="region"
      aria-label={caption}
      ref={view.scroller}
      onScroll={view.onScroll}
      onKeyDown={onKeyDown}
      onPointerOver={showWhole}
    >
      <table class="cards" aria-rowcount={rows.length + 1}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {selection !== null && <SelectAll rows={rows} keyOf={keyOf} selection={selection} />}
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {range.from > 0 && <Spacer span={span} height={range.from * rowHeight} />}
          {rows.slice(range.from, range.to).map((row, i) => {
            const key = String(keyOf(row));
            return (
              <GridRow
                key={key}
                row={row}
                index={range.from + i}
                columns={columns}
                className={rowClass?.(row)}
                isSelected={selection?.keys.has(key) ?? null}
                onSelect={(...how) => select(range.from + i, ...how)}
              />
            );
          })}
          {!view.isPhone && range.to < rows.length && (
            <Spacer span={span} height={(rows.length - range.to) * rowHeight} />
          )}
        </tbody>
      </table>
      {view.isPhone && range.to < rows.length && <MoreRows onClick={view.showMore} />}
    </div>
  );
}

/** Returns a function that selects a row, or a range from the row that was selected last. */
function useRangeSelection<Row>({
  rows,
  keyOf,
  selection,
}: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly selection: Selection | null;
}) {
  const anchor = useRef(0);
  return (index: number, isSelected: boolean, isRange: boolean) => {
    const from = isRange ? anchor.current : index;
    const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
    selection?.toggle(
      range.map((row) => String(keyOf(row))),
      isSelected,
    );
    anchor.current = index;
  };
}

function MoreRows({ onClick }: { readonly onClick: () => void }) {
  return (
    <p class="more">
      <button type="button" onClick={onClick}>
        Show more rows
      </button>
    </p>
  );
}

/** Shows the whole text of a cell that is cut off, as a tooltip. */
function showWhole({ target }: Event): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.dense tbody tr > *') : null;
  if (cell !== null && cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
}

/** Space of the rows that are not rendered. */
function Spacer({ span, height }: { readonly span: number; readonly height: number }) {
  return (
    <tr class="spacer" aria-hidden="true">
      <td colSpan={span} style={{ height: `${height}px` }} />
    </tr>
  );
}

function SelectAll<Row>({
  rows,
  keyOf,
  selection,
}: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly selection: Selection;
}) {
  const isAll = rows.length > 0 && selection.keys.size >= rows.length;
  return (
    <th scope="col" class="select">
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={isAll}
        onChange={() =>
          selection.toggle(
            rows.map((row) => String(keyOf(row))),
            !isAll,
          )
        }
      />
    </th>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loadedMax } from '../../api/page-loader.ts';
import type { Pages } from '../../api/use-pages.ts';
import { useQuery } from '../../api/use-query.ts';
import { formatCount } from '../format.ts';
import { columnsText, shownColumns } from './arrange-columns.ts';
import { ColumnMenu } from './column-menu.tsx';
import { Grid } from './grid.tsx';
import { SelectedRows } from './selected-rows.tsx';
import { useAllPages } from './use-all-pages.ts';
import { useSelection } from './use-selection.ts';
import { nextSort, parseSort, sortRows } from './sort-rows.ts';
import { ViewMenu } from './view-menu.tsx';
import { PagedList } from './paged-list.tsx';
import type { Column } from './table.tsx';

/** Noun and numbers of the items in a table. */
export interface TableCount {
  /** Noun for one and for several, such as `row` and `rows`. */
  readonly noun: readonly [one: string, several: string];
  /** Number of all items, without filters. Unknown by default. */
  readonly total?: number | undefined;
  /** Number of items that match the filters. Default: known once all of them are loaded. */
  readonly matching?: number | undefined;
}

/**
 * Table of a list that loads page by page: it sorts, shows and moves columns, selects rows and copies them, and renders any number of
 * rows. Sorting loads the whole list first, unless the server sorts it.
 *
 * @param view name of the table, for saved views. With it, order and columns are in the URL, and every row is one line that can be selected.
 *   Without it, they last as long as the page.
 */
export function PagedTable<Row>({
  pages,
  empty,
  caption,
  columns: given,
  keyOf,
  rowClass,
  view,
  isSortedByServer = false,
  count = { noun: ['row', 'rows'] },
  actions,
}: {
  readonly pages: Pages<Row>;
  /** Text of the empty state. */
  readonly empty: ComponentChildren;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
  readonly view?: string;
  /** True when `pages` has the order that the URL names. */
  readonly isSortedByServer?: boolean;
  readonly count?: TableCount;
  /** Buttons for the selected rows, beside those that copy and clear. */
  readonly actions?: (rows: readonly Row[], clear: () => void) => ComponentChildren;
}) {
  const columns = given.map((column) => ({ ...column, id: column.id ?? column.head }));
  const state = useTableState(view !== undefined);
  const shown = shownColumns(columns, state.get('cols'));
  const sort = parseSort(state.get('sort'));
  const sortable = columns.find(({ id }) => id === sort?.column)?.value;
  const { selection, ...selected } = useSelection(pages, keyOf);
  const visible = shown.flatMap((id) => columns.filter((column) => column.id === id));
  const isSorted = sort !== null && sortable !== undefined;
  const sortsHere = isSorted && !isSortedByServer;
  useAllPages(pages, sortsHere);
  return (
    <PagedList pages={pages} empty={empty}>
      {(items) => (
        <>
          <div class="grid-bar">
            <p role="status">
              {countText(pages, count)}
              {sortsHere && pages.hasMore && <Partly pages={pages} />}
            </p>
            <div class="actions">
              <ColumnMenu
                columns={columns}
                shown={shown}
                onChange={(next) => state.set({ cols: columnsText(columns, next) })}
              />
              {view !== undefined && <ViewMenu table={view} search={state.text} />}
            </div>
          </div>
          {selected.rows.length > 0 && (
            <SelectedRows
              {...selected}
              columns={visible}
              label={`${countText(pages, count, selected.rows.length)} selected`}
            >
              {actions?.(selected.rows, selected.onClear)}
            </SelectedRows>
          )}
          <Grid
            caption={caption}
            columns={visible}
            rows={sortsHere ? sortRows(items, sortable, sort) : items}
            keyOf={keyOf}
            rowClass={rowClass}
            isDense={view !== undefined}
            sort={isSorted ? sort : null}
            onSort={(column) => state.set({ sort: nextSort(sort, column) })}
            selection={view === undefined ? null : selection}
            loadRest={pages.hasMore && items.length < loadedMax ? pages.all : null}
            onEnd={() => {
              if (pages.hasMore && !pages.isLoading && pages.error === undefined) pages.more();
            }}
          />
        </>
      )}
    </PagedList>
  );
}

/** Number of matching items, or of selected ones: "45 of 60 companies". */
function countText<Row>(
  { hasMore, items }: Pages<Row>,
  { noun, total, matching }: TableCount,
  selected?: number,
): string {
  const known = hasMore ? matching : items.length;
  const [part, whole] = selected === undefined ? [known, total] : [selected, total ?? known];
  const found = part === undefined ? `${formatCount(items.length)}+` : formatCount(part);
  const ofWhole = whole === undefined || whole === part ? '' : ` of ${formatCount(whole)}`;
  return `${found}${ofWhole} ${noun[(whole ?? part) === 1 ? 0 : 1]}`;
}

/** Remark on the order of a part of the rows. */
function Partly<Row>({ pages: { items, isLoading } }: { readonly pages: Pages<Row> }) {
  return (
    <span class="quiet">
      {isLoading
        ? ' · loading all of them, to sort …'
        : ` · sorted: the first ${formatCount(items.length)}. Filter to sort the rest.`}
    </span>
  );
}

/** Order and columns of a table: in the URL, or in the page. */
function useTableState(isInUrl: boolean) {
  const query = useQuery();
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  if (isInUrl)
    return {
      get: query.get,
      set: (changes: Readonly<Record<string, string>>) => query.set(changes, { replace: true }),
      text: query.text,
    };
  return {
    get: (name: string) => own[name] ?? '',
    set: (changes: Readonly<Record<string, string>>) => setOwn((before) => ({ ...before, ...changes })),
    text: '',
  };
}

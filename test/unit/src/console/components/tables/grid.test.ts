import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../../../src/package-root.ts';

type CellValue = string | number | null;

/** Modules of the browser, loaded without their types. */
interface GridModules {
  readonly visibleRange: (
    count: number,
    view: { readonly scrollTop: number; readonly height: number; readonly rowHeight: number },
  ) => { readonly from: number; readonly to: number };
  readonly sortRows: <Row>(
    rows: readonly Row[],
    value: (row: Row) => CellValue,
    sort: { readonly isDescending: boolean },
  ) => readonly Row[];
  readonly nextSort: (sort: { column: string; isDescending: boolean } | null, column: string) => string;
  readonly shownColumns: (columns: readonly { id: string; isHidden?: boolean }[], chosen: string) => string[];
  readonly columnsText: (columns: readonly { id: string }[], shown: readonly string[]) => string;
  readonly moveItem: (items: readonly string[], item: string, by: -1 | 1) => readonly string[];
}

const modules = await Promise.all(
  ['visible-range.ts', 'sort-rows.ts', 'arrange-columns.ts'].map(
    (file) =>
      import(pathToFileURL(join(packageRoot, 'src/console/components/tables', file)).href) as Promise<object>,
  ),
);
const { visibleRange, sortRows, nextSort, shownColumns, columnsText, moveItem } = Object.assign(
  {},
  ...modules,
) as GridModules;

describe('visible range', () => {
  test('of a short table has all rows', () => {
    expect(visibleRange(200, { scrollTop: 5000, height: 100, rowHeight: 36 })).toEqual({ from: 0, to: 200 });
  });

  test.each([0, 1, 35, 36, 359, 1_000_000, 3_599_000, 3_600_000, 9_999_999])(
    'of 100,000 rows at %i px covers the screen with few rows',
    (scrollTop) => {
      const [rowHeight, height, count] = [36, 800, 100_000];
      const { from, to } = visibleRange(count, { scrollTop, height, rowHeight });
      const top = Math.min(scrollTop, count * rowHeight - height);
      expect(from).toBeLessThanOrEqual(Math.floor(top / rowHeight));
      expect(to).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((top + height) / rowHeight)));
      expect(to - from).toBeLessThanOrEqual(150);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(count);
    },
  );
});

describe('order of rows', () => {
  const rows = [['b2'], [null], ['a'], ['b10'], [3], [20]].map(([value]) => ({ value: value ?? null }));
  const sorted = (isDescending: boolean) =>
    sortRows(rows, ({ value }) => value, { isDescending }).map(({ value }) => value);

  test('sorts numbers and texts with numbers, and has empty cells last in both directions', () => {
    expect(sorted(false)).toEqual([3, 20, 'a', 'b2', 'b10', null]);
    expect(sorted(true)).toEqual(['b10', 'b2', 'a', 20, 3, null]);
  });

  test('goes from ascending to descending to none', () => {
    expect(nextSort(null, 'ads')).toBe('ads');
    expect(nextSort({ column: 'ads', isDescending: false }, 'ads')).toBe('-ads');
    expect(nextSort({ column: 'ads', isDescending: true }, 'ads')).toBe('');
    expect(nextSort({ column: 'ads', isDescending: true }, 'row')).toBe('row');
  });
});

describe('columns', () => {
  const columns = [{ id: 'a' }, { id: 'b, or c' }, { id: 'd', isHidden: true }];

  test('are the default ones without a choice, and for unknown names', () => {
    for (const chosen of ['', 'x', '%E0%A4', ',,'])
      expect(shownColumns(columns, chosen)).toEqual(['a', 'b, or c']);
  });

  test('keep their order and hidden ones in the URL', () => {
    const shown = ['d', 'b, or c', 'a'];
    expect(shownColumns(columns, columnsText(columns, shown))).toEqual(shown);
    expect(columnsText(columns, ['a', 'b, or c'])).toBe('');
  });

  test('move by one place within the table', () => {
    expect(moveItem(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c']);
    expect(moveItem(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b']);
    expect(moveItem(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c']);
    expect(moveItem(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c']);
  });
});

/** Rows of a batch by number, from 1: `first` to `last`. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Converts row numbers, in any order, to ranges. Numbers must be integers from 1. */
export function rangesOfRows(rowNos: readonly number[]): readonly RowRange[] {
  return mergeRanges(rowNos.map((rowNo) => ({ first: rowNo, last: rowNo })));
}

/** Sorts ranges and joins those that overlap or are neighbours. */
export function mergeRanges(ranges: readonly RowRange[]): readonly RowRange[] {
  const merged: RowRange[] = [];
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const before = merged.at(-1);
    if (before === undefined || first > before.last + 1) merged.push({ first, last });
    else merged.splice(-1, 1, { first: before.first, last: Math.max(before.last, last) });
  }
  return merged;
}

/** Formats ranges as `parseRowRanges` reads them. */
export function formatRowRanges(ranges: readonly RowRange[]): string {
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

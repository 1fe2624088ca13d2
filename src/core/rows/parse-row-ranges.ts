import { ValidationError } from '../errors.ts';
import { formatRowRanges, mergeRanges, type RowRange } from './row-ranges.ts';

/** Maximum number of ranges in a text, so that it fits into a URL. Our choice. */
export const rowRangesMax = 500;

/** Number of ranges that an error lists. */
const listedMax = 10;

/**
 * Parses row numbers and ranges, such as `1,5,9-20`. Returns them in order, without overlaps; neighbours become one range.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function parseRowRanges(text: string, where: string): readonly RowRange[] {
  const ranges = mergeRanges(text.split(',').map((part) => parseRange(part, where)));
  if (ranges.length <= rowRangesMax) return ranges;
  const [has, max] = [ranges.length, rowRangesMax].map((count) => count.toLocaleString('en'));
  throw new ValidationError(
    `${where}: has ${has} separate ranges, and at most ${max} are possible. Select fewer rows at a time, or use the filters.`,
    { where },
  );
}

function parseRange(part: string, where: string): RowRange {
  const [, from = '', to = from] = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(part) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (first >= 1 && last >= first) return { first, last };
  throw new ValidationError(
    `${where} ${JSON.stringify(part.trim())}: must be row numbers from 1 and ranges, such as 1,5,9-20.`,
    { where },
  );
}

/** Rejects rows that a batch with this many rows does not have; null: none are asked for. @throws ValidationError that names them */
export function rejectUnknownRows(ranges: readonly RowRange[] | null, rowsTotal: number): void {
  const unknown = (ranges ?? [])
    .filter(({ last }) => last > rowsTotal)
    .map(({ first, last }) => ({ first: Math.max(first, rowsTotal + 1), last }));
  if (unknown.length === 0) return;
  const more = unknown.length > listedMax ? ', …' : '';
  const rows = rowsTotal === 1 ? '1 row' : `${rowsTotal.toLocaleString('en')} rows`;
  throw new ValidationError(
    `The batch has ${rows}. It has no row ${formatRowRanges(unknown.slice(0, listedMax))}${more}.`,
    { where: 'rows' },
  );
}

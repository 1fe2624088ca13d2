import assert from 'node:assert/strict';
import { numberText } from './report-row.ts';

/** A cell that is not empty. It must match the kind of its column; anything else is a bug. */
type Present = string | number | boolean;

/** Formats a cell as text, in the same way for every format. */
export function textOf(cell: Present): string {
  return typeof cell === 'number' ? numberText(cell) : String(cell);
}

/** Asserts a finite number. */
export function numberOf(cell: Present): number {
  assert(typeof cell === 'number' && Number.isFinite(cell), `a number, not ${cell}`);
  return cell;
}

/** Asserts a boolean. */
export function flagOf(cell: Present): boolean {
  assert(typeof cell === 'boolean', `a truth value, not ${cell}`);
  return cell;
}

/** Converts a day (`2026-03-01`) or a moment (`2026-03-01T04:05:06.000Z`) to milliseconds since 1970, UTC; a day to its start. */
export function timeOf(cell: Present): number {
  const ms = typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
  assert(Number.isFinite(ms), `a day or a moment, not ${cell}`);
  return ms;
}

import assert from 'node:assert/strict';
import { numberText } from './report-row.ts';

/** A cell that is there. What its column says it is, it has to be: anything else is a defect of ours. */
type Present = string | number | boolean;

/** A cell as text, alike in every format. */
export function textOf(cell: Present): string {
  return typeof cell === 'number' ? numberText(cell) : String(cell);
}

/** A number: finite. */
export function numberOf(cell: Present): number {
  assert(typeof cell === 'number' && Number.isFinite(cell), `a number, not ${cell}`);
  return cell;
}

/** A truth value. */
export function flagOf(cell: Present): boolean {
  assert(typeof cell === 'boolean', `a truth value, not ${cell}`);
  return cell;
}

/** A day (`2026-03-01`) or a moment (`2026-03-01T04:05:06.000Z`) in milliseconds since 1970, UTC; of a day, its beginning. */
export function timeOf(cell: Present): number {
  const ms = typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
  assert(Number.isFinite(ms), `a day or a moment, not ${cell}`);
  return ms;
}

import { coordinate } from './scale.ts';

/** A point of a drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the path of a line through these points; empty without points. */
export function linePath(points: readonly Point[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${coordinate(x)},${coordinate(y)}`).join('');
}

/** Returns the path of a column of this width, from one height to another. */
export function columnPath(
  { left, width }: { readonly left: number; readonly width: number },
  from: number,
  to: number,
): string {
  return `M${coordinate(left)},${coordinate(from)}V${coordinate(to)}H${coordinate(left + width)}V${coordinate(from)}Z`;
}

/** Rows to render of a long table: those on the screen, and some more on both sides. */
export interface VisibleRange {
  readonly from: number;
  /** Index after the last row. */
  readonly to: number;
}

/** Number of rows up to which a table renders all of them. */
export const renderedMax = 200;

/** Rows rendered beyond each edge of the visible part. */
const overscan = 30;

/**
 * Computes the rows to render. All heights are in pixels; all rows have the same height.
 */
export function visibleRange(
  count: number,
  {
    scrollTop,
    height,
    rowHeight,
  }: { readonly scrollTop: number; readonly height: number; readonly rowHeight: number },
): VisibleRange {
  if (count <= renderedMax) return { from: 0, to: count };
  // Steps keep the rendered rows the same while the user scrolls by a few.
  const step = overscan / 2;
  const top = Math.floor(Math.min(scrollTop / rowHeight, count) / step) * step;
  const shown = Math.ceil(height / rowHeight / step) * step;
  return { from: Math.max(0, top - overscan), to: Math.min(count, top + shown + overscan + step) };
}

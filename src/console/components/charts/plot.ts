/** Area of a chart between its axes, in pixels. Each day has an equal part of its width. */
export interface Plot {
  /** Width of the whole chart. */
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Width of a day. */
  readonly dayWidth: number;
  /** Middle of a day, by its position. */
  readonly x: (day: number) => number;
  /** Position of the day at an x; the first or last day beyond the ends. */
  readonly dayAt: (x: number) => number;
}

/** Margins for the numbers on the left and the days below. */
const margins = { left: 44, top: 12, bottom: 28 };

/** Computes the plot of a chart of this size with this many days. */
export function makePlot({
  width,
  height,
  marginRight,
  dayCount,
}: {
  readonly width: number;
  readonly height: number;
  readonly marginRight: number;
  readonly dayCount: number;
}): Plot {
  const { left, top } = margins;
  const right = Math.max(left + 1, width - marginRight);
  const dayWidth = (right - left) / Math.max(1, dayCount);
  return {
    ...{ width, left, right, top, dayWidth },
    bottom: height - margins.bottom,
    x: (day) => left + (day + 0.5) * dayWidth,
    dayAt: (x) => Math.max(0, Math.min(dayCount - 1, Math.floor((x - left) / dayWidth))),
  };
}

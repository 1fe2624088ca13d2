/** Axis of integers from 0 to `max`. */
export interface CountAxis {
  readonly max: number;
  /** Values of the grid lines, including 0 and `max`. */
  readonly ticks: readonly number[];
}

/** Creates an axis for counts up to `largest`, in three to five steps of 1, 2 or 5 times a power of ten. */
export function countAxis(largest: number): CountAxis {
  const step = niceStep(largest / 4);
  const count = Math.max(1, Math.ceil(largest / step));
  return { max: step * count, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}

/** Axis of integers above and below 0. */
export interface BalanceAxis {
  readonly above: number;
  readonly below: number;
  /** Values of the grid lines, from `-below` to `above`. */
  readonly ticks: readonly number[];
}

/** Creates an axis for counts up to `up` above 0 and up to `down` below it. Both halves share one step: equal counts have equal length. */
export function balanceAxis(up: number, down: number): BalanceAxis {
  const axes = [up, down].map((largest) => countAxis(Math.max(1, largest)));
  const step = Math.max(...axes.map(({ ticks }) => ticks[1] ?? 1));
  const [above = step, below = step] = axes.map(({ max }) => Math.ceil(max / step) * step);
  return {
    above,
    below,
    ticks: Array.from({ length: (above + below) / step + 1 }, (_, i) => i * step - below),
  };
}

function niceStep(atLeast: number): number {
  if (atLeast <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5, 10].find((each) => each * power >= atLeast) ?? 10;
  return factor * power;
}

/** Selects evenly spread positions for labels, at most `labelsMax`, always including the last one. */
export function labelledPlaces(count: number, labelsMax: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / labelsMax));
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % step === 0);
}

/** Rounds a coordinate to tenths of a unit, finer than any screen. */
export function coordinate(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Moves positions apart to at least `gap`, within `from` and `to`, and returns them in the given order. */
export function spreadApart(
  places: readonly number[],
  { gap, from, to }: { readonly gap: number; readonly from: number; readonly to: number },
): readonly number[] {
  const order = places.map((place, i) => ({ place, i })).sort((a, b) => a.place - b.place || a.i - b.i);
  const moved = new Array<number>(places.length);
  let free = from;
  for (const { place, i } of order) {
    moved[i] = Math.max(place, free);
    free = (moved[i] ?? 0) + gap;
  }
  let limit = to;
  for (const { i } of order.reverse()) {
    moved[i] = Math.min(moved[i] ?? 0, limit);
    limit = (moved[i] ?? 0) - gap;
  }
  return moved;
}

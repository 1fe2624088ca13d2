import { linePath, type Point } from '../../../reporter/documents/charts/paths.ts';
import { coordinate, countAxis, spreadApart } from '../../../reporter/documents/charts/scale.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { formatCount } from '../format.ts';
import { DayChart } from './day-chart.tsx';
import type { Plot } from './plot.ts';

/** Number of colours of lines. */
const toneCount = 8;
const height = 300;
/** Maximum number of values with a dot each. */
const dottedMax = 31;
/** Width of labels at the ends of lines, and of their characters, in pixels. */
const labelWidthMax = 180;
const labelShare = 0.36;
const characterWidth = 9;
const labelGap = 14;

/** Line with one value per day; null without data. */
export interface Line {
  readonly name: string;
  /** Class with its colour. */
  readonly tone: string;
  readonly values: readonly (number | null)[];
}

/** Returns the class with the nth colour of a line. */
export function toneOf(index: number): string {
  return `line-${(index % toneCount) + 1}`;
}

/** Line chart of daily counts. Each line has its name and last value at its end. */
export function LineChart({
  title,
  summary,
  days,
  lines,
}: {
  readonly title: string;
  /** Text alternative of the chart. */
  readonly summary: string;
  readonly days: readonly string[];
  readonly lines: readonly Line[];
}) {
  const axis = countAxis(Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const yOf =
    ({ top, bottom }: Plot) =>
    (count: number) =>
      bottom - (count / axis.max) * (bottom - top);
  return (
    <DayChart
      {...{ title, summary, days, height }}
      marginRight={(width) => Math.min(labelWidthMax, Math.round(width * labelShare))}
      countLines={(plot) => axis.ticks.map((count) => ({ count, y: yOf(plot)(count) }))}
      valuesOf={(day) => lines.map(({ name, tone, values }) => ({ name, tone, value: values[day] ?? null }))}
      rows={days.flatMap((_, i) => (lines.some(({ values }) => (values[i] ?? null) !== null) ? [i] : []))}
    >
      {(plot, pointed) => (
        <>
          {lines.map((line) => (
            <DrawnLine key={line.name} points={pointsOf(line, plot, yOf(plot))} tone={line.tone} />
          ))}
          <EndLabels lines={lines} plot={plot} y={yOf(plot)} />
          {pointed !== null &&
            lines.map(({ name, tone, values }) => {
              const value = values[pointed] ?? null;
              if (value === null) return null;
              const [x, y] = [coordinate(plot.x(pointed)), coordinate(yOf(plot)(value))];
              return <circle key={name} class={`dot ${tone}`} cx={x} cy={y} r="5" />;
            })}
        </>
      )}
    </DayChart>
  );
}

function pointsOf({ values }: Line, plot: Plot, y: (count: number) => number): readonly Point[] {
  return values.flatMap((value, i) => (value === null ? [] : [{ x: plot.x(i), y: y(value) }]));
}

function DrawnLine({ points, tone }: { readonly points: readonly Point[]; readonly tone: string }) {
  return (
    <g class={tone}>
      <path class="line" d={linePath(points)} />
      {points.length <= dottedMax &&
        points.map(({ x, y }) => <circle class="dot" cx={coordinate(x)} cy={coordinate(y)} r="3" />)}
    </g>
  );
}

/** Names and last values beside the plot, moved apart where they overlap, each with a line to the end of its own. */
function EndLabels({
  lines,
  plot,
  y,
}: {
  readonly lines: readonly Line[];
  readonly plot: Plot;
  readonly y: (count: number) => number;
}) {
  const ended = lines.flatMap(({ name, tone, values }) => {
    const day = values.findLastIndex((value) => value !== null);
    const last = values[day] ?? null;
    return last === null ? [] : [{ name, tone, last, from: { x: plot.x(day), y: y(last) } }];
  });
  const places = spreadApart(
    ended.map(({ from }) => from.y),
    { gap: labelGap, from: plot.top, to: plot.bottom },
  );
  return (
    <g aria-hidden="true">
      {ended.map(({ name, tone, last, from }, i) => {
        const place = places[i] ?? from.y;
        const count = formatCount(last);
        const charsMax = Math.max(
          1,
          Math.floor((plot.width - plot.right - 16) / characterWidth) - count.length - 1,
        );
        return (
          <g key={name} class={tone}>
            <path class="leader" d={linePath([from, { x: plot.right + 10, y: place }])} />
            <text class="end" x={coordinate(plot.right + 14)} y={coordinate(place + 4)}>
              {shorten(name, charsMax)} {count}
            </text>
          </g>
        );
      })}
    </g>
  );
}

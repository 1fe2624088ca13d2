import { useEffect, useRef, useState } from 'preact/hooks';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dayMarks, dayRange, markLabels, secondsOf } from './day-axis.ts';
import { formatDay } from '../dates/days.ts';
import { formatCount } from '../format.ts';
import { Table } from '../tables/table.tsx';

/** Maximum number of lines that differ in colour and dashes; more are not drawn. */
export const linesMax = 6;
const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 4], [4, 2, 1, 2]];
const height = 280;
/** Maximum number of days with a dot each. */
const dottedDaysMax = 62;

/** Line with one value per day; null without data. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Line chart of daily counts. The legend shows the values under the pointer; a table has all of them. */
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
  const drawn = lines.slice(0, linesMax);
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const holder = usePlot(days, drawn, setPointedAt);
  const at = pointedAt ?? days.length - 1;
  return (
    <figure class="chart card">
      <div class="plot" ref={holder} role="img" aria-label={`${title}. ${summary}`} />
      <figcaption>
        <p class="quiet small number">{formatDay(days[at] ?? '')}</p>
        {days.length === 1 && <p class="quiet small">A line needs data from two days.</p>}
        <ul class="legend">
          {drawn.map(({ name, values }, i) => (
            <li key={name}>
              <svg class={`sample line-${i + 1}`} width="28" height="8" viewBox="0 0 28 8" aria-hidden="true">
                <path d="M1,4H27" stroke-dasharray={dashes[i]?.join(' ')} />
              </svg>
              {name} <strong class="number">{countOrNone(values[at] ?? null)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>Chart data</summary>
        <Table
          caption={`${title}, by day`}
          rows={days.map((day, i) => ({ day, i })).reverse()}
          keyOf={({ day }) => day}
          columns={[
            { head: 'Day', cell: ({ day }) => formatDay(day), isHeading: true, kind: 'day' },
            ...drawn.map(({ name, values }) => ({
              head: name,
              kind: 'number' as const,
              cell: ({ i }: { readonly i: number }) => countOrNone(values[i] ?? null),
            })),
          ]}
        />
      </details>
    </figure>
  );
}

function countOrNone(count: number | null): string {
  return count === null ? '–' : formatCount(count);
}

/** Draws the chart into an element, at its full width, again when data or theme change. */
function usePlot(days: readonly string[], lines: readonly Line[], onPoint: (index: number | null) => void) {
  const holder = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const plot = new Plot(
      optionsOf(lines, { width: element.clientWidth, days, onPoint }),
      [days.map(secondsOf), ...lines.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days.join(), JSON.stringify(lines), colours]);
  return holder;
}

function optionsOf(
  lines: readonly Line[],
  {
    width,
    days,
    onPoint,
  }: {
    readonly width: number;
    readonly days: readonly string[];
    readonly onPoint: (index: number | null) => void;
  },
): Plot.Options {
  const range = dayRange(days);
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: '12px system-ui, sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    // Days are UTC days, regardless of the browser's time zone.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      // The library stretches a single day to a thousand.
      x: { range: [range.from, range.to] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        // `splits` places the ticks; this allows some on any width.
        ...{ space: 1, incrs: [range.to - range.from] },
        splits: ({ bbox }) => [...dayMarks(range, bbox.width / devicePixelRatio)],
        values: (_plot, marks) => markLabels(marks),
      },
      {
        ...axis,
        size: 56,
        incrs: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((n) => [n, 2 * n, 5 * n]),
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, i) => ({
        label: name,
        stroke: colour(`--line-${i + 1}`),
        width: 2,
        dash: [...(dashes[i] ?? [])],
        points: { show: days.length <= dottedDaysMax, size: 5 },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

/** Counts changes of the theme: a canvas keeps the colours that it was drawn with. */
function useColours(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const next = () => setChanges((n) => n + 1);
    const theme = new MutationObserver(next);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => theme.disconnect();
  }, []);
  return changes;
}

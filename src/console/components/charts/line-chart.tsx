import { useEffect, useRef, useState } from 'preact/hooks';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dayMarks, dayRange, markLabels, secondsOf } from './day-axis.ts';
import { formatDay } from '../days.ts';
import { formatCount } from '../format.ts';
import { Table } from '../table.tsx';

/** Lines that are told apart by colour and dashes; more are not drawn. */
export const linesMax = 6;
const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 4], [4, 2, 1, 2]];
const height = 280;
/** With more days than this, dots would be a second line. */
const dottedDaysMax = 62;

/** A line: one value a day, null while there is none. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Counts over days. What is pointed at stands in the legend; who cannot see it has the numbers in a table. */
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
        {days.length === 1 && <p class="quiet small">A single day so far: a line begins with the second.</p>}
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
        <summary>Numbers of this chart</summary>
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

/** The picture in an element, drawn anew when its numbers or the colours change, as wide as there is room. */
function usePlot(days: readonly string[], lines: readonly Line[], onPoint: (index: number | null) => void) {
  const holder = useRef<HTMLDivElement>(null);
  const colours = useColours();
  useEffect(() => {
    const place = holder.current;
    if (place === null) return;
    const plot = new Plot(
      optionsOf(lines, { width: place.clientWidth, days, onPoint }),
      [days.map(secondsOf), ...lines.map(({ values }) => [...values])],
      place,
    );
    const room = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }));
    room.observe(place);
    return () => {
      room.disconnect();
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
    // Days are those of UTC, whatever the clock of who looks says.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      // The library makes a thousand days of a single one.
      x: { range: [range.from, range.to] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.05)] },
    },
    axes: [
      {
        ...axis,
        // Where marks stand is said below; this lets there be some on any width.
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

/** Changes with the colours of the page: a picture is drawn in those that it found. */
function useColours(): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const next = () => setRound((n) => n + 1);
    const theme = new MutationObserver(next);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => theme.disconnect();
  }, []);
  return round;
}

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { coordinate } from '../../../reporter/documents/charts/scale.ts';
import { formatDay } from '../dates/days.ts';
import { formatCount } from '../format.ts';
import { Table, type Column } from '../tables/table.tsx';
import { dayMarks, markLabels } from './day-axis.ts';
import { makePlot, type Plot } from './plot.ts';

/** Value of a series on a day, as in a tooltip. */
export interface DayValue {
  readonly name: string;
  /** Null without data. */
  readonly value: number | null;
  /** Class with the colour of the series. */
  readonly tone: string;
}

/** Grid line of a count, with its position. */
export interface CountLine {
  readonly count: number;
  readonly y: number;
}

const tooltipWidth = 190;
const tooltipGap = 12;
/** Days that each key moves by. */
const steps: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  ...{ PageDown: -7, PageUp: 7, Home: -Infinity, End: Infinity },
};

/**
 * Chart with an axis of days. The values of a day appear beside it under the pointer, and after focus by arrow keys; a table has all of them.
 */
export function DayChart({
  title,
  summary,
  days,
  height,
  marginRight,
  countLines,
  valuesOf,
  rows,
  children,
}: {
  readonly title: string;
  /** Text alternative of the chart. */
  readonly summary: string;
  readonly days: readonly string[];
  readonly height: number;
  /** Margin on the right at a width, in pixels. */
  readonly marginRight: (width: number) => number;
  readonly countLines: (plot: Plot) => readonly CountLine[];
  /** Values of a day, by its position. */
  readonly valuesOf: (day: number) => readonly DayValue[];
  /** Positions of the days in the table. */
  readonly rows: readonly number[];
  /** Marks of the chart. `pointed`: position of the pointed day. */
  readonly children: (plot: Plot, pointed: number | null) => ComponentChildren;
}) {
  const { holder, width } = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const plot = makePlot({ width, height, marginRight: marginRight(width), dayCount: days.length });
  const at = Math.min(pointed ?? days.length - 1, days.length - 1);
  const summaryId = useId();
  const point = ({ currentTarget, clientX }: PointerEvent & { readonly currentTarget: SVGSVGElement }) =>
    setPointed(plot.dayAt(clientX - currentTarget.getBoundingClientRect().left));
  return (
    <figure class="chart card">
      <div ref={holder}>
        <p id={summaryId} class="hidden">
          {summary}
        </p>
        {width > 0 && (
          <svg
            class="plot"
            viewBox={`0 0 ${width} ${height}`}
            height={height}
            tabIndex={0}
            role="slider"
            aria-label={title}
            aria-describedby={summaryId}
            aria-readonly="true"
            aria-valuemin={0}
            aria-valuemax={days.length - 1}
            aria-valuenow={at}
            aria-valuetext={textOf(days[at] ?? '', valuesOf(at))}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setPointed(null)}
            onBlur={() => setPointed(null)}
            onKeyDown={(event) => {
              const next = dayAfterKey(event.key, pointed, days.length);
              if (next === undefined) return;
              event.preventDefault();
              setPointed(next);
            }}
          >
            <Axes plot={plot} days={days} countLines={countLines(plot)} height={height} />
            {children(plot, pointed === null ? null : at)}
            {pointed !== null && (
              <Tooltip plot={plot} height={height} at={at} day={days[at] ?? ''}>
                {valuesOf(at)}
              </Tooltip>
            )}
          </svg>
        )}
      </div>
      <ValueTable {...{ title, days, valuesOf, rows }} />
    </figure>
  );
}

/** Returns the day that a key points at; undefined for keys without a meaning. The first arrow key points at the last day. */
function dayAfterKey(key: string, pointed: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return null;
  const step = steps[key];
  if (step === undefined) return undefined;
  if (pointed === null) return step === -Infinity ? 0 : count - 1;
  return Math.max(0, Math.min(count - 1, pointed + step));
}

function textOf(day: string, values: readonly DayValue[]): string {
  return `${formatDay(day)}: ${values.map(({ name, value }) => `${name} ${countOrNone(value)}`).join(', ')}`;
}

function countOrNone(count: number | null): string {
  return count === null ? '–' : formatCount(count);
}

/** Table with the values of these days, newest first. */
function ValueTable({
  title,
  days,
  valuesOf,
  rows,
}: {
  readonly title: string;
  readonly days: readonly string[];
  readonly valuesOf: (day: number) => readonly DayValue[];
  readonly rows: readonly number[];
}) {
  return (
    <details>
      <summary>Show as table</summary>
      <Table
        caption={`${title}, by day`}
        rows={rows.toReversed()}
        keyOf={(day) => day}
        columns={columnsOf(days, valuesOf)}
      />
    </details>
  );
}

function columnsOf(
  days: readonly string[],
  valuesOf: (day: number) => readonly DayValue[],
): readonly Column<number>[] {
  return [
    { head: 'Day', cell: (day) => formatDay(days[day] ?? ''), isHeading: true, kind: 'day' },
    ...valuesOf(0).map(({ name }, i) => ({
      head: name,
      kind: 'number' as const,
      cell: (day: number) => countOrNone(valuesOf(day)[i]?.value ?? null),
    })),
  ];
}

function Axes({
  plot,
  days,
  countLines,
  height,
}: {
  readonly plot: Plot;
  readonly days: readonly string[];
  readonly countLines: readonly CountLine[];
  readonly height: number;
}) {
  const marks = dayMarks(days, plot.right - plot.left);
  const labels = markLabels(marks.map((mark) => days[mark] ?? ''));
  return (
    <g class="axis" aria-hidden="true">
      {countLines.map(({ count, y }) => (
        <>
          <line x1={plot.left} x2={plot.right} y1={coordinate(y)} y2={coordinate(y)} />
          <text x={plot.left - 8} y={coordinate(y + 4)} text-anchor="end">
            {formatCount(Math.abs(count))}
          </text>
        </>
      ))}
      {marks.map((mark, i) => (
        <text key={mark} class="day-mark" x={coordinate(plot.x(mark))} y={height - 8} text-anchor="middle">
          {labels[i]}
        </text>
      ))}
    </g>
  );
}

/** Values of the pointed day, on the side with room. */
function Tooltip({
  plot,
  height,
  at,
  day,
  children: values,
}: {
  readonly plot: Plot;
  readonly height: number;
  readonly at: number;
  readonly day: string;
  readonly children: readonly DayValue[];
}) {
  const x = plot.x(at);
  const right = x + tooltipGap;
  const left = right + tooltipWidth <= plot.right ? right : Math.max(0, x - tooltipGap - tooltipWidth);
  return (
    <>
      <line class="pointed-day" x1={coordinate(x)} x2={coordinate(x)} y1={plot.top} y2={plot.bottom} />
      <foreignObject x={coordinate(left)} y={plot.top} width={tooltipWidth} height={height}>
        <div class="tooltip">
          <strong>{formatDay(day)}</strong>
          <ul>
            {values.toSorted(byValue).map(({ name, value, tone }) => (
              <li key={name}>
                <Sample tone={tone} />
                <span>{name}</span>
                <b class="number">{countOrNone(value)}</b>
              </li>
            ))}
          </ul>
        </div>
      </foreignObject>
    </>
  );
}

function byValue(one: DayValue, other: DayValue): number {
  return (other.value ?? -1) - (one.value ?? -1);
}

/** Colour of a series. */
export function Sample({ tone }: { readonly tone: string }) {
  return (
    <svg class={`sample ${tone}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <rect width="12" height="12" rx="3" />
    </svg>
  );
}

/** Measures the width of an element; 0 before the first layout. */
function useWidth() {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { holder, width };
}

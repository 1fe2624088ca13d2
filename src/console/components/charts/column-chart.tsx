import { columnPath } from '../../../reporter/documents/charts/paths.ts';
import { balanceAxis, coordinate } from '../../../reporter/documents/charts/scale.ts';
import { DayChart, Sample } from './day-chart.tsx';
import type { Plot } from './plot.ts';

/** Additions and removals on a day. */
export interface DayColumn {
  readonly day: string;
  readonly up: number;
  readonly down: number;
}

const height = 240;
const marginRight = 44;
const columnWidthMax = 26;

/** Column chart by day: additions upwards, removals downwards. */
export function ColumnChart({
  title,
  summary,
  columns,
  up,
  down,
}: {
  readonly title: string;
  /** Text alternative of the chart. */
  readonly summary: string;
  readonly columns: readonly DayColumn[];
  /** Labels of the two series. */
  readonly up: string;
  readonly down: string;
}) {
  const axis = balanceAxis(
    Math.max(...columns.map((column) => column.up)),
    Math.max(...columns.map((column) => column.down)),
  );
  const yOf =
    ({ top, bottom }: Plot) =>
    (count: number) =>
      bottom - ((count + axis.below) / (axis.above + axis.below)) * (bottom - top);
  return (
    <>
      <ul class="legend">
        <li>
          <Sample tone="up" /> {up}
        </li>
        <li>
          <Sample tone="down" /> {down}
        </li>
      </ul>
      <DayChart
        {...{ title, summary, height }}
        days={columns.map(({ day }) => day)}
        marginRight={() => marginRight}
        countLines={(plot) => axis.ticks.map((count) => ({ count, y: yOf(plot)(count) }))}
        valuesOf={(day) => [
          { name: up, tone: 'up', value: columns[day]?.up ?? 0 },
          { name: down, tone: 'down', value: columns[day]?.down ?? 0 },
        ]}
        rows={columns.flatMap((column, i) => (column.up + column.down > 0 ? [i] : []))}
      >
        {(plot) => {
          const y = yOf(plot);
          const width = Math.min(columnWidthMax, plot.dayWidth * 0.8);
          return (
            <>
              {columns.map((column, i) => {
                const place = { left: plot.x(i) - width / 2, width };
                return (
                  <g key={column.day}>
                    {column.up > 0 && <path class="up" d={columnPath(place, y(0), y(column.up))} />}
                    {column.down > 0 && <path class="down" d={columnPath(place, y(0), y(-column.down))} />}
                  </g>
                );
              })}
              <line class="zero" x1={plot.left} x2={plot.right} y1={coordinate(y(0))} y2={coordinate(y(0))} />
            </>
          );
        }}
      </DayChart>
    </>
  );
}

import { formatDay } from '../dates/days.ts';
import { formatCount } from '../format.ts';
import { Table } from '../tables/table.tsx';

/** Additions and removals on a day. */
export interface DayColumn {
  readonly day: string;
  readonly up: number;
  readonly down: number;
}

/** Minimum number of columns to reserve room for, so that columns stay narrow. */
const columnsMin = 14;

/** Column chart by day: additions upwards, removals downwards. A table has the same data. */
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
  const above = Math.max(1, ...columns.map((column) => column.up));
  const below = Math.max(1, ...columns.map((column) => column.down));
  return (
    <figure class="chart card">
      <svg
        class="day-columns"
        viewBox={`0 0 ${Math.max(columnsMin, columns.length)} ${above + below}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}. ${summary}`}
      >
        {columns.map((column, i) => (
          <g key={column.day}>
            <title>{`${formatDay(column.day)}: ${formatCount(column.up)} ${up}, ${formatCount(column.down)} ${down}`}</title>
            <rect class="pointed" x={i} y="0" width="1" height={above + below} />
            <rect class="up" x={i + 0.1} y={above - column.up} width="0.8" height={column.up} />
            <rect class="down" x={i + 0.1} y={above} width="0.8" height={column.down} />
          </g>
        ))}
      </svg>
      <p class="ends quiet small" aria-hidden="true">
        <span>{formatDay(columns[0]?.day ?? '')}</span>
        {columns.length >= columnsMin && <span>{formatDay(columns.at(-1)?.day ?? '')}</span>}
      </p>
      <figcaption>
        <ul class="legend">
          <li>
            <Sample of="up" /> {up}, up to {formatCount(Math.max(0, ...columns.map((column) => column.up)))}{' '}
            per day
          </li>
          <li>
            <Sample of="down" /> {down}, up to{' '}
            {formatCount(Math.max(0, ...columns.map((column) => column.down)))} per day
          </li>
        </ul>
      </figcaption>
      <details>
        <summary>Chart data</summary>
        <Table
          caption={`${title}, by day`}
          rows={columns.filter((column) => column.up + column.down > 0).reverse()}
          keyOf={({ day }) => day}
          columns={[
            { head: 'Day', cell: ({ day }) => formatDay(day), isHeading: true, kind: 'day' },
            { head: up, cell: (column) => formatCount(column.up), kind: 'number' },
            { head: down, cell: (column) => formatCount(column.down), kind: 'number' },
          ]}
        />
      </details>
    </figure>
  );
}

function Sample({ of: name }: { readonly of: 'up' | 'down' }) {
  return (
    <svg class="sample" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <rect class={name} width="12" height="12" />
    </svg>
  );
}

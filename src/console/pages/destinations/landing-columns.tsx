import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { formatBytes, formatCounted, Moment } from '../../components/values.tsx';
import { landingLabels } from './destination-labels.ts';

type Landing = Body<'Landing'>;

/** Columns of landings: what landed, its state and error, and its size. */
export const landingColumns: readonly Column<Landing>[] = [
  { head: 'Shape', cell: ({ shape }) => shape },
  {
    head: 'State',
    cell: ({ state, last_error: error, note, attempts }) => {
      const [tone, name] = landingLabels[state];
      return (
        <>
          <Badge tone={tone}>{name}</Badge>
          {attempts > 1 && <div class="quiet small">{formatCounted(attempts, 'attempt')}</div>}
          {state !== 'landed' && error !== null && <div class="small">{error}</div>}
          {note !== null && <div class="small">{note}</div>}
        </>
      );
    },
  },
  {
    head: 'Size',
    cell: ({ rows, parts, bytes }) => (
      <span class="small">
        {rows === null
          ? '–'
          : [
              formatCounted(rows, 'line'),
              ...(parts === null ? [] : [formatCounted(parts, 'file')]),
              ...(bytes === null ? [] : [formatBytes(bytes)]),
            ].join(', ')}
      </span>
    ),
  },
  {
    head: 'Time',
    kind: 'day',
    cell: ({ landed_at: landed, next_at: next, tried_at: tried }) =>
      landed === null && next !== null ? (
        <>
          next attempt <Moment at={next} />
        </>
      ) : (
        <Moment at={landed ?? tried} />
      ),
  },
];

import type { Body } from '../../api/client.ts';
import { emptyPlace, type PlaceDraft } from '../connections/place.ts';

type Destination = Body<'Destination'>;
type Form = Omit<Body<'DestinationChangeRequest'>, 'name' | 'credentials' | 'state'>;

/** Format of what lands. */
export type DestinationFormat = Destination['format'];
/** Shape of what lands. */
export type DestinationShape = Destination['shapes'][number];

/** Destination in the fields of its form. */
export interface DestinationDraft {
  readonly name: string;
  readonly place: PlaceDraft;
  /** Batches that land; the id of the schedule or batch is empty for `all`. */
  readonly scope: { readonly kind: 'all' | 'schedule' | 'batch'; readonly id: string };
  /** Format of files. A location on Postgres takes a table. */
  readonly format: DestinationFormat;
  readonly shapes: readonly DestinationShape[];
  readonly layout: Destination['layout'];
  readonly gzip: boolean;
  readonly raw: boolean;
  readonly table: string;
  /** Names of columns, separated by commas; empty for none. */
  readonly key: string;
}

/** Draft of a new destination. `batch`: id of the only batch that lands; empty for all batches. */
export function emptyDestination(batch: string): DestinationDraft {
  return {
    name: '',
    place: emptyPlace,
    scope: batch === '' ? { kind: 'all', id: '' } : { kind: 'batch', id: batch },
    ...{ format: 'parquet', shapes: ['rows'], layout: 'partitioned', gzip: false, raw: false },
    ...{ table: '', key: '' },
  };
}

/** Converts a destination to its draft. Its credentials are unknown. */
export function toDestinationDraft(destination: Destination): DestinationDraft {
  const { name, kind, location, format, shapes, layout, gzip, raw, table, key } = destination;
  return {
    ...emptyDestination(''),
    ...{ name, format, shapes, layout, gzip, raw },
    place: { ...emptyPlace, kind, address: location },
    table: table ?? '',
    key: key?.join(', ') ?? '',
  };
}

/** Returns the draft with another format and its usual layout. */
export function withFormat(draft: DestinationDraft, format: DestinationFormat): DestinationDraft {
  return { ...draft, format, layout: format === 'parquet' ? 'partitioned' : 'flat' };
}

/** Converts the form of what lands to fields of the API. */
export function toDestinationForm({ place, ...draft }: DestinationDraft): Form {
  const shapes = [...draft.shapes];
  if (place.kind === 'postgres') {
    const key = draft.key.split(',').map((name) => name.trim());
    return { shapes, table: draft.table.trim(), key: key.join('') === '' ? null : key };
  }
  const { format, layout, gzip, raw } = draft;
  return {
    ...{ format, shapes, layout },
    ...(canGzip(format) ? { gzip } : {}),
    ...(format === 'csv' ? { raw } : {}),
  };
}

/** Converts the scope to fields of the API. */
export function toScope({ scope: { kind, id } }: DestinationDraft): {
  readonly schedule_id?: string;
  readonly batch_id?: string;
} {
  if (kind === 'schedule') return { schedule_id: id };
  return kind === 'batch' ? { batch_id: id.trim() } : {};
}

/** Returns true for a format that can be compressed again. */
export function canGzip(format: DestinationFormat): boolean {
  return format === 'csv' || format === 'ndjson' || format === 'json';
}

import type { Body } from '../../api/client.ts';

type Destination = Body<'Destination'>;
type Tone = 'good' | 'bad' | 'warm' | 'cool' | 'plain';

/** Formats of files, the default first, and of a table. */
export const formatNames: Readonly<Record<Destination['format'], string>> = {
  parquet: 'Parquet',
  csv: 'CSV',
  xlsx: 'Excel',
  ndjson: 'NDJSON',
  json: 'JSON',
  table: 'Table',
};

/** Labels of the shapes. */
export const shapeNames: Readonly<Record<Destination['shapes'][number], string>> = {
  rows: 'Rows of the file',
  ads: 'One line per ad',
  variants: 'One line per variant of an ad',
};

/** Labels of the layouts. */
export const layoutNames: Readonly<Record<Destination['layout'], string>> = {
  partitioned: 'Folders by day and batch',
  flat: 'One folder',
};

/** Label and tone of each state of a landing. */
export const landingLabels: Readonly<Record<Body<'Landing'>['state'], readonly [tone: Tone, name: string]>> =
  {
    pending: ['cool', 'Pending'],
    landed: ['good', 'Landed'],
    dead: ['bad', 'Dead'],
  };

/** Label and tone of the state of a destination. */
export function destinationState({ state, dead }: Destination): readonly [tone: Tone, name: string] {
  if (state !== 'active') return ['warm', 'Disabled'];
  return dead === 0 ? ['good', 'Active'] : ['bad', 'Landings are dead'];
}

/** Formats what lands: "Parquet: rows, ads". */
export function formText({ format, shapes, table }: Destination): string {
  return `${table === null ? formatNames[format] : `Table ${table}`}: ${shapes.join(', ')}`;
}

/** Lists the settings of a destination, with their labels. */
export function destinationTerms(destination: Destination): readonly (readonly [string, string])[] {
  const { location, has_credentials: has, format, layout, gzip, raw, key, table } = destination;
  const files = [
    layoutNames[layout].toLowerCase(),
    ...(gzip ? ['compressed'] : []),
    ...(raw ? ['formulas unchanged'] : []),
  ];
  return [
    ['Location', location],
    ['Credentials', has ? 'stored' : 'none'],
    ...(destination.host_key === null ? [] : [['Host key', destination.host_key] as const]),
    ['What lands', formText(destination)],
    table === null
      ? (['Files', files.join(', ')] as const)
      : (['Key', key?.join(', ') ?? 'none: the rows of a batch are replaced'] as const),
    ['Batches', scopeText(destination)],
    ...(format === 'csv' && !raw ? [['Formulas', 'escaped'] as const] : []),
  ];
}

function scopeText({ schedule_id: schedule, batch_id: batch }: Destination): string {
  if (schedule !== null) return `those of schedule ${schedule}`;
  return batch === null ? 'all of the account' : `only ${batch}`;
}

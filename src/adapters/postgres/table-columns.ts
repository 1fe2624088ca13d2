import type { LandedColumn, LandedKind } from '../../core/destinations/part-exporter.ts';

/** Columns that Nightshift adds to a table of the user's own: the batch of a row, and the time at which it finished. */
export const ownColumns = [
  { name: 'nightshift_batch', type: 'text' },
  { name: 'nightshift_finished_at', type: 'timestamp with time zone' },
] as const;

/** Column of the order of the lines, in the temporary table of a load. */
export const orderColumn = 'nightshift_order';

/** A column of a table: its name, as Postgres allows it, and its type. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

const typeOfKind: Readonly<Record<LandedKind, string>> = {
  text: 'text',
  count: 'integer',
  total: 'bigint',
  credits: 'numeric(18,6)',
  flag: 'boolean',
  day: 'date',
  moment: 'timestamp with time zone',
};

/** Postgres truncates longer names (NAMEDATALEN). */
const nameBytesMax = 63;

/**
 * Converts columns to those of a table, in the same order. A name that is too long is cut, and one that is taken gets the first free suffix
 * `_2`, `_3`, …; the names of our own columns are taken.
 */
export function tableColumns(columns: readonly LandedColumn[]): readonly TableColumn[] {
  const taken = new Set<string>([...ownColumns.map(({ name }) => name), orderColumn]);
  return columns.map(({ name, kind }) => {
    const free = freeName(name, taken);
    taken.add(free);
    return { name: free, type: typeOfKind[kind] };
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = cut(name, nameBytesMax);
  for (let suffix = 2; taken.has(free); suffix += 1) {
    const end = `_${suffix}`;
    free = cut(name, nameBytesMax - end.length) + end;
  }
  return free;
}

function cut(text: string, bytesMax: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    kept += character;
  }
  return kept;
}

/**
 * Returns the type to which an existing column is widened, so that it holds the values of both; null when it does already. A column is never
 * narrowed. Types without a common one become text.
 */
export function widenedType(existing: string, wanted: string): string | null {
  if (existing === wanted || existing === 'text' || existing === 'character varying') return null;
  if (holds[wanted]?.includes(existing) === true) return null;
  const wider = widened[wanted]?.find(({ from }) => from.test(existing));
  return wider?.to ?? 'text';
}

/** Types that hold all values of a type of ours. */
const holds: Readonly<Record<string, readonly string[]>> = {
  integer: ['bigint', 'numeric', 'double precision'],
  bigint: ['numeric'],
  'numeric(18,6)': ['numeric'],
  date: ['timestamp without time zone', 'timestamp with time zone'],
};

/** Types that are widened to another one than text. */
const widened: Readonly<Record<string, readonly { readonly from: RegExp; readonly to: string }[]>> = {
  integer: [
    { from: /^smallint$/, to: 'integer' },
    { from: /^numeric\(/, to: 'numeric' },
    { from: /^real$/, to: 'double precision' },
  ],
  bigint: [
    { from: /^(smallint|integer)$/, to: 'bigint' },
    { from: /^numeric\(/, to: 'numeric' },
  ],
  'numeric(18,6)': [{ from: /^(numeric\(|smallint|integer|bigint|real|double precision)/, to: 'numeric' }],
  'timestamp with time zone': [
    { from: /^(date|timestamp without time zone)$/, to: 'timestamp with time zone' },
  ],
};

/** Quotes a name for a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes `schema.table`. */
export function quotedTable(table: string): string {
  return table.split('.').map(quoted).join('.');
}

import { unreadable, type WireField } from './wire.ts';

/** A row by column name: records as objects, repeated columns as lists, everything else as text or null. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Decodes rows from their wire form, in which a row is `{f: [{v}, …]}` by position and only the schema has the names.
 *
 * The result is what an export writes as JSON: numbers and booleans stay strings, as on the wire.
 *
 * @throws SourceUnreadable that names the path, such as `rows[3].region_stats[0]`, when a row does not fit the schema.
 */
export function decodeRows(fields: readonly WireField[], rows: readonly unknown[]): readonly Row[] {
  return rows.map((row, i) => decodeRecord(fields, row, `rows[${i}]`));
}

function decodeRecord(fields: readonly WireField[], value: unknown, path: string): Row {
  const cells = isRecord(value) ? value['f'] : undefined;
  if (!Array.isArray(cells)) throw unreadable(path, 'expected a record');
  if (cells.length !== fields.length)
    throw unreadable(path, `expected ${fields.length} columns, got ${cells.length}`);
  return Object.fromEntries(
    fields.map((field, i) => {
      const at = `${path}.${field.name}`;
      return [field.name, decodeColumn(field, valueOf(cells[i], at), at)];
    }),
  );
}

function decodeColumn(field: WireField, value: unknown, path: string): unknown {
  if (field.mode !== 'REPEATED') return decodeValue(field, value, path);
  if (!Array.isArray(value)) throw unreadable(path, 'expected a list');
  return value.map((item, i) => decodeValue(field, valueOf(item, `${path}[${i}]`), `${path}[${i}]`));
}

const recordTypes = ['RECORD', 'STRUCT'];

function decodeValue(field: WireField, value: unknown, path: string): unknown {
  if (value === null) return null;
  if (recordTypes.includes(field.type)) return decodeRecord(field.fields ?? [], value, path);
  if (typeof value === 'string') return value;
  throw unreadable(path, `expected text, got ${typeof value}`);
}

/** Value of one cell, `{v}`. */
function valueOf(cell: unknown, path: string): unknown {
  if (isRecord(cell) && 'v' in cell) return cell['v'];
  throw unreadable(path, 'expected a cell');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

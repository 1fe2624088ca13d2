import { readColumns, type ReadColumn } from './query.ts';
import type { WireField } from './wire.ts';

/** Columns that the query reads and that are missing from a table or have another type; by path. */
export function missingColumns(fields: readonly WireField[]): readonly string[] {
  return readColumns.filter((column) => !hasColumn(fields, column)).map(({ path }) => path);
}

function hasColumn(fields: readonly WireField[], { path, type, isRepeated }: ReadColumn): boolean {
  const [name, ...rest] = path.split('.');
  const field = fields.find((each) => each.name === name);
  if (field === undefined) return false;
  if (rest.length > 0) return hasColumn(field.fields ?? [], { path: rest.join('.'), type, isRepeated });
  return typeOf(field.type) === type && (field.mode === 'REPEATED') === isRepeated;
}

/** BigQuery uses two names for one type, depending on the dialect. */
function typeOf(type: string): string {
  return type === 'STRUCT' ? 'RECORD' : type;
}

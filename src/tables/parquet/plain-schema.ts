import type { FileMetaData, SchemaElement } from 'hyparquet';

/** Column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  /** Element of the schema, with its logical type. */
  readonly element: SchemaElement;
  /** True for a list, a map or a structure. */
  readonly isNested: boolean;
}

/** Returns the columns, from the elements below the root of the schema, which lists a tree in depth-first order. */
export function columnsOf({ schema }: FileMetaData): readonly ParquetColumn[] {
  const columns: ParquetColumn[] = [];
  for (let at = 1; at < schema.length;) {
    const element = schema[at];
    if (element === undefined) break;
    const next = afterSubtree(schema, at);
    const isNested = next > at + 1 || element.repetition_type === 'REPEATED';
    columns.push({ name: element.name, element, isNested });
    at = next;
  }
  return columns;
}

function afterSubtree(schema: readonly SchemaElement[], start: number): number {
  let open = 1;
  let at = start;
  for (; open > 0 && at < schema.length; at += 1) open += (schema[at]?.num_children ?? 0) - 1;
  return at;
}

/** Returns the depth of the schema; Infinity when it is not a tree. */
export function depthOf({ schema }: FileMetaData): number {
  const open: number[] = [];
  let deepest = 0;
  for (const [index, { num_children: children = 0 }] of schema.entries()) {
    while (open.at(-1) === 0) open.pop();
    const left = open.pop();
    if (index > 0 && left === undefined) return Infinity;
    if (left !== undefined) open.push(left - 1);
    if (children > 0) open.push(children);
    deepest = Math.max(deepest, open.length);
  }
  return open.every((left) => left === 0) ? deepest : Infinity;
}

/** Logical types whose values the library would change or reject: exact decimals, times beyond milliseconds, dates of any year. */
const ownConverted: readonly (string | undefined)[] = [
  'DECIMAL',
  'DATE',
  'TIME_MILLIS',
  'TIME_MICROS',
  'TIMESTAMP_MILLIS',
  'TIMESTAMP_MICROS',
  'INTERVAL',
  'BSON',
];
const ownLogical: readonly (string | undefined)[] = [
  'DECIMAL',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'INTERVAL',
  'BSON',
  'GEOMETRY',
  'GEOGRAPHY',
];

/** Returns the metadata without the logical types that `columnText` converts itself, so that the library passes on the stored values. */
export function withPlainTypes(metadata: FileMetaData): FileMetaData {
  const own = new Set(
    columnsOf(metadata)
      .filter(({ isNested }) => !isNested)
      .map(({ element }) => element),
  );
  return {
    ...metadata,
    schema: metadata.schema.map((element) => (own.has(element) ? plain(element) : element)),
  };
}

function plain(element: SchemaElement): SchemaElement {
  const { converted_type, logical_type, ...rest } = element;
  if (ownConverted.includes(converted_type) || ownLogical.includes(logical_type?.type)) return rest;
  return element;
}

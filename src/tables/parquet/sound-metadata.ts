import type { FileMetaData } from 'hyparquet';
import { depthOf } from './plain-schema.ts';

const schemaElementsMax = 20_000;
const schemaDepthMax = 50;

/**
 * True for metadata whose fields that are used here have their types, and that are consistent. The library parses what a damaged file has, or
 * leaves it undefined.
 */
export function isSoundMetadata(metadata: FileMetaData): boolean {
  const { schema, num_rows, row_groups } = metadata;
  const isSoundSchema =
    schema.length > 0 && schema.length <= schemaElementsMax && schema.every(({ name }) => isText(name));
  if (!isSoundSchema || depthOf(metadata) > schemaDepthMax || !isCount(num_rows)) return false;
  if (!row_groups.every(isSoundGroup)) return false;
  return row_groups.reduce((sum, group) => sum + group.num_rows, 0n) === num_rows;
}

function isSoundGroup({ num_rows, columns }: FileMetaData['row_groups'][number]): boolean {
  return isCount(num_rows) && columns.every(isSoundColumn);
}

function isSoundColumn({
  meta_data: column,
}: FileMetaData['row_groups'][number]['columns'][number]): boolean {
  return (
    column !== undefined &&
    isCount(column.data_page_offset) &&
    isCount(column.dictionary_page_offset ?? 0n) &&
    isCount(column.total_compressed_size) &&
    isText(column.codec) &&
    column.path_in_schema.length > 0 &&
    column.path_in_schema.every(isText)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return typeof value === 'bigint' && value >= 0n;
}

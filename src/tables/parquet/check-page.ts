import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import type { CompressionCodec, PageHeader } from 'hyparquet/src/types.js';
import { checkDeltas, checkRuns, checkSharedTexts } from './check-runs.ts';
import { DamagedPage } from './damaged-page.ts';
import { decompressPage } from './decompress.ts';

/** Column that a page belongs to. */
export interface PageColumn {
  readonly codec: CompressionCodec;
  /** Bits of the levels that say how deep a value is nested and where a list begins; 0 when there are none. */
  readonly definitionBits: number;
  readonly definitionMax: number;
  readonly repetitionBits: number;
  /** Maximum size of the decoded texts of a page. */
  readonly textBytesMax: number;
}

/** Part of a page after the levels. */
interface PageValues {
  readonly encoding: string;
  readonly bytes: Buffer;
  readonly start: number;
  /** Values with missing ones. */
  readonly values: number;
  /** Returns the number of values that are stored. */
  readonly stored: () => number;
}

/** Checks what a data page says about itself, so that decoding it takes bounded time and memory. @throws DamagedPage */
export function checkPage(stored: Buffer, header: PageHeader, column: PageColumn): void {
  const values =
    header.data_page_header === undefined
      ? valuesOfVersion2(stored, header, column)
      : valuesOfVersion1(stored, header, column);
  if (values !== null) checkValues(values, column);
}

function valuesOfVersion1(stored: Buffer, header: PageHeader, column: PageColumn): PageValues | null {
  const { data_page_header: page } = header;
  if (page === undefined) return null;
  const bytes = decompressPage(stored, header.uncompressed_page_size, column.codec);
  const { num_values: values, encoding } = page;
  const { repetitionBits, definitionBits } = column;
  const definitions = afterLevels(bytes, 0, repetitionBits, values);
  const start = afterLevels(bytes, definitions, definitionBits, values);
  const countOwn = () => (definitionBits === 0 ? values : countStored(bytes, definitions, column, values));
  return { encoding, bytes, start, values, stored: countOwn };
}

/** Checks levels, which have their length before them; returns the position after them. */
function afterLevels(bytes: Buffer, start: number, bits: number, values: number): number {
  if (bits === 0) return start;
  checkRuns(bytes, start + 4, bits, values);
  return start + 4 + lengthAt(bytes, start);
}

function countStored(
  bytes: Buffer,
  start: number,
  { definitionBits, definitionMax }: PageColumn,
  values: number,
): number {
  const levels = new Array<number>(values);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  readRleBitPackedHybrid({ view, offset: start }, definitionBits, levels);
  return levels.reduce((sum, level) => (level === definitionMax ? sum + 1 : sum), 0);
}

function valuesOfVersion2(stored: Buffer, header: PageHeader, column: PageColumn): PageValues | null {
  const { data_page_header_v2: page } = header;
  if (page === undefined) return null;
  const repetition = page.repetition_levels_byte_length;
  const levels = repetition + page.definition_levels_byte_length;
  if (!(repetition >= 0) || !(levels >= repetition) || levels > stored.length)
    throw new DamagedPage('a page is cut off');
  if (column.repetitionBits > 0) checkRuns(stored, 0, column.repetitionBits, page.num_values);
  if (column.definitionBits > 0) checkRuns(stored, repetition, column.definitionBits, page.num_values);
  const size = header.uncompressed_page_size - levels;
  const rest = stored.subarray(levels);
  const bytes = page.is_compressed === false ? rest : decompressPage(rest, size, column.codec);
  const { num_values: values, num_nulls: missing } = page;
  if (!(missing >= 0) || missing > values)
    throw new DamagedPage('a page has more missing values than values');
  return { encoding: page.encoding, bytes, start: 0, values, stored: () => values - missing };
}

function lengthAt(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw new DamagedPage('a page is cut off');
  return bytes.readUInt32LE(at);
}

function checkValues({ encoding, bytes, start, values, stored }: PageValues, column: PageColumn): void {
  if (encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY')
    checkRuns(bytes, start + 1, bytes[start] ?? 0, values);
  else if (encoding === 'RLE') checkRuns(bytes, start + 4, 1, values);
  else if (encoding.startsWith('DELTA_')) {
    const count = stored();
    if (count === 0) return;
    if (encoding === 'DELTA_BYTE_ARRAY') checkSharedTexts(bytes, start, count, column.textBytesMax);
    else checkDeltas(bytes, start, count);
  }
}

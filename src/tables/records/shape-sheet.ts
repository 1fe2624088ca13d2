import type { TableRecord } from '../../csv/records/read-records.ts';

/** Rows that are looked at for the header and the usual number of columns. */
const sampleRows = 1_000;
const rowsAboveMax = 20;
/** Narrower tables have no text above them: it could as well be a row. */
const widthBelowTextMin = 3;

/** Records of a sheet from its header on. */
export interface ShapedSheet {
  readonly records: AsyncGenerator<readonly TableRecord[], undefined>;
  /** Number of rows with content above the header. */
  readonly rowsAbove: number;
}

/**
 * Finds the header of a sheet, and gives all rows as many cells as the header.
 *
 * The header is the first row with at least half as many filled cells as usual, so that titles above it are left out. It is as wide as the
 * widest of the first 1,000 rows, because a column can have no name. A row that is wider keeps its cells.
 *
 * @param skipRows number of rows with content to leave out instead; undefined: detected.
 */
export async function shapeSheet(
  blocks: AsyncGenerator<readonly TableRecord[], undefined>,
  skipRows: number | undefined,
): Promise<ShapedSheet> {
  const sample: TableRecord[] = [];
  while (sample.length < sampleRows + rowsAboveMax) {
    const next = await blocks.next();
    if (next.done === true) break;
    sample.push(...next.value);
  }
  const rowsAbove = skipRows ?? rowsAboveHeader(sample.slice(0, sampleRows));
  const table = sample.splice(rowsAbove);
  const width = Math.max(0, ...table.slice(0, sampleRows).map(({ cells }) => cells.length));

  async function* records(): AsyncGenerator<readonly TableRecord[], undefined> {
    const [header] = table.splice(0, 1);
    if (header !== undefined) yield [padded(header, width)];
    if (table.length > 0) yield table.splice(0).map((record) => padded(record, width));
    for await (const block of blocks) yield block.map((record) => padded(record, width));
  }

  return { records: records(), rowsAbove };
}

function padded(record: TableRecord, width: number): TableRecord {
  const missing = width - record.cells.length;
  if (missing <= 0) return record;
  return { ...record, cells: [...record.cells, ...new Array<string>(missing).fill('')] };
}

function rowsAboveHeader(rows: readonly TableRecord[]): number {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const usual = filled.toSorted((one, other) => one - other)[Math.floor(filled.length / 2)] ?? 0;
  if (usual < widthBelowTextMin) return 0;
  const header = filled.findIndex((cells) => cells >= usual / 2);
  return header > rowsAboveMax ? 0 : header;
}

import { parseDomain } from '../../core/companies/company.ts';
import { cellText } from '../../core/companies/placeholders.ts';
import type { TableRecord } from '../../csv/records/read-records.ts';
import { fileTooLarge, type PlaceUnit } from '../../csv/file-error.ts';
import { companyFields, type ColumnMap, type RawRow } from '../columns/company-file.ts';

/** Options of the numbering of rows. */
export interface RowOptions {
  readonly fileName: string;
  /** Unit of the line of a record. */
  readonly unit: PlaceUnit;
  /** Header; every row should have as many cells. */
  readonly header: readonly string[];
  readonly fields: ColumnMap;
  /** Usual number of cells of a record of the file. It exceeds that of the header where rows end in further delimiters. */
  readonly width: number;
  readonly rowsMax: number;
  /** Keeps rows of empty cells. */
  readonly keepsBlankRows: boolean;
  /** Rejects every row with another number of cells than the header. */
  readonly strict: boolean;
}

/**
 * Creates a function that converts records, in order, to numbered data rows. Rows of empty cells are left out, as blank lines are.
 *
 * A row with another number of cells than the header keeps its cells. It gets a warning where its cells are in their columns for certain,
 * and a problem otherwise, because the missing or additional cell is unknown.
 *
 * The function throws ValidationError at the first row beyond `rowsMax`.
 */
export function createRowNumbering(
  options: RowOptions,
): (records: readonly TableRecord[]) => readonly RawRow[] {
  let rowNo = 0;

  function toRow(record: TableRecord): RawRow {
    rowNo += 1;
    const { lineNo, problem, reading } = record;
    if (rowNo > options.rowsMax) throw tooManyRows(lineNo, options);
    const fitted = fitCells(record.cells, options);
    const warning =
      problem === null && fitted.problem === null ? joined(repairOf(reading), fitted.warning) : null;
    return { rowNo, lineNo, cells: fitted.cells, problem: joined(fitted.problem, problem), warning };
  }

  const isRow = ({ cells }: TableRecord) => options.keepsBlankRows || cells.some(isFilled);
  return (records) => records.filter(isRow).map(toRow);
}

function repairOf(reading: TableRecord['reading']): string | null {
  return reading === 'repaired' ? 'misplaced quotation marks were read as text' : null;
}

function joined(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : `${one}; ${other}`;
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

type FittedRow = Pick<RawRow, 'cells' | 'problem' | 'warning'>;

/** Fits the cells of a row into the columns of the header. */
function fitCells(cells: readonly string[], options: RowOptions): FittedRow {
  const { header, width, strict } = options;
  const count = cells.length;
  if (count === header.length && width <= count) return { cells, problem: null, warning: null };
  const problem = `${describeCount(cells, header)}`;
  if (count > header.length) {
    if (cells.slice(header.length).some(isFilled)) return { cells, problem, warning: null };
    const inside = cells.slice(0, header.length);
    // Where every row ends in the same number of empty cells, none of them has moved.
    if (count === width) return { cells: inside, problem: null, warning: null };
    return strict
      ? { cells, problem, warning: null }
      : { cells: inside, problem: null, warning: emptyCells(cells, header) };
  }
  if (count === header.length) return { cells, problem: null, warning: fewerThanUsual };
  if (strict || !isInPlace(cells, options)) return { cells, problem, warning: null };
  return { cells, problem: null, warning: `${problem}, read as empty` };
}

const fewerThanUsual = 'fewer cells than most rows: check that none is missing';

function emptyCells(cells: readonly string[], header: readonly string[]): string {
  return `empty cells beyond the header (${cells.length} instead of ${header.length}): check that none has moved`;
}

/** True when the mapped cells are there, and the domain and the address are what they should be: a cell that moved would not be. */
function isInPlace(cells: readonly string[], { fields }: RowOptions): boolean {
  if (companyFields.some((field) => (fields[field] ?? -1) >= cells.length)) return false;
  const textOf = (column: number | null) => (column === null ? '' : cellText(cells[column]));
  const domain = textOf(fields.company_domain);
  const email = textOf(fields.email);
  if (domain === '' && email === '') return false;
  return (domain === '' || isDomain(domain)) && (email === '' || isAddress(email));
}

function isDomain(text: string): boolean {
  return !text.includes('@') && parseDomain(text).kind === 'domain';
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && parseDomain(text).kind === 'domain';
}

function describeCount(cells: readonly string[], header: readonly string[]): string {
  const counts = `${cells.length} fields instead of ${header.length}`;
  if (cells.length > header.length) return `too many fields: ${counts}`;
  const missing = header.slice(cells.length).map((name) => JSON.stringify(name));
  const shown = missing.length > 5 ? [...missing.slice(0, 5), '…'] : missing;
  return `too few fields: ${counts}, missing ${shown.join(', ')}`;
}

function tooManyRows(lineNo: number, { fileName, rowsMax, unit }: RowOptions): Error {
  const rows = rowsMax.toLocaleString('en-US');
  return fileTooLarge(
    fileName,
    lineNo,
    `The file has more than ${rows} data rows. Split it into smaller files.`,
    unit,
  );
}

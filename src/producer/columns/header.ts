import type { Operation } from '../../core/credits/price-book.ts';
import type { ValidationError } from '../../core/errors.ts';
import { parseDomain } from '../../core/companies/company.ts';
import { completeColumnNames } from './complete-column-names.ts';
import { findNamedField } from './header-names.ts';
import { fileError, type PlaceUnit } from '../../csv/file-error.ts';

/** First record of a file, with the user's options for columns. */
export interface ColumnsQuestion {
  readonly fileName: string;
  /** Line of the first record, from 1. */
  readonly lineNo: number;
  /** Unit of `lineNo`. Default: `line`. */
  readonly unit?: PlaceUnit | undefined;
  /** True when the format names the columns. Default: false. */
  readonly hasNames?: boolean | undefined;
  /** Cells of the first record: the header, unless `noHeader`. */
  readonly first: readonly string[];
  /** First data rows, as evidence for the columns. Default: none. */
  readonly rows?: readonly (readonly string[])[] | undefined;
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly mapFields?: readonly string[] | undefined;
  readonly onDoubt?: 'reject' | 'guess' | undefined;
  readonly noHeader?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly strict?: boolean | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly columnsMax: number;
}

/**
 * Reads the names of all columns: the user's, else those of the header without blanks around them, else `column_1`, `column_2`, ….
 *
 * @throws ValidationError when a name is missing or repeated, there are too many columns or not as many as the user named, or the header
 * looks like data, which would lose the first row.
 */
export function readHeader(question: ColumnsQuestion): readonly string[] {
  const { first, columnsMax } = question;
  if (first.length > columnsMax) {
    throw rejectColumns(
      question,
      `The file has ${first.length} columns, but at most ${columnsMax} are allowed. Remove some.`,
    );
  }
  if (question.columns !== undefined) return named(question.columns, question);
  if (question.noHeader === true) return first.map((_, index) => `column_${index + 1}`);
  const isMapped = question.map !== undefined && Object.keys(question.map).length > 0;
  if (!isMapped && question.hasNames !== true) rejectData(question);
  return question.strict === true ? named(first, question) : completeColumnNames(first);
}

/** Returns the cells of the first record without those at its end that are empty in every row. */
export function withoutEmptyColumns(
  first: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const isEmpty = (index: number) => [first, ...rows].every((cells) => (cells[index] ?? '').trim() === '');
  let width = first.length;
  while (width > 1 && isEmpty(width - 1)) width -= 1;
  return first.slice(0, width);
}

/** Creates the error for a header with replaced characters, because the column names would be wrong. */
export function damagedHeader(
  { fileName, lineNo, unit }: Pick<ColumnsQuestion, 'fileName' | 'lineNo' | 'unit'>,
  problem: string,
): ValidationError {
  const message = `The header cannot be used: ${problem}. Fix it, or save the file as UTF-8.`;
  return fileError(fileName, lineNo, message, { unit });
}

/** Creates the error for columns that cannot be used, at the line of the header. */
export function rejectColumns(question: ColumnsQuestion, message: string): ValidationError {
  const { fileName, lineNo, unit } = question;
  return fileError(fileName, lineNo, message, { unit });
}

const renameRemedy =
  'Fix the header, or name all columns in order: --columns name,domain,… ' +
  '(with --no-header if the first line is data).';

function named(given: readonly string[], question: ColumnsQuestion): readonly string[] {
  const names = given.map((name) => name.trim());
  if (names.length !== question.first.length) {
    const counts = `--columns names ${names.length} columns, but this line has ${question.first.length}`;
    throw rejectColumns(question, `${counts}. Name every column, in order.`);
  }
  const unnamed = names.indexOf('');
  if (unnamed !== -1) throw rejectColumns(question, `Column ${unnamed + 1} has no name. ${renameRemedy}`);
  const second = names.findIndex((name, index) => names.indexOf(name) < index);
  if (second === -1) return names;
  const name = names[second] ?? '';
  const places = `Columns ${names.indexOf(name) + 1} and ${second + 1}`;
  throw rejectColumns(question, `${places} are both named ${JSON.stringify(name)}. ${renameRemedy}`);
}

function rejectData(question: ColumnsQuestion): void {
  const cell = question.first.find(looksLikeData);
  if (cell === undefined) return;
  const names = question.first.map((other, index) => (other === cell ? 'domain' : `column_${index + 1}`));
  throw rejectColumns(
    question,
    `The file seems to have no header: ${JSON.stringify(cell)} looks like data. Name the columns with ` +
      `--no-header --columns ${names.join(',')}; or, if this is the header, map a column with ` +
      '--map company_name=COLUMN.',
  );
}

/**
 * True when the first line is a row like those below it: no cell is a known header, and one is an address in a column of addresses. False
 * when the user gave any option for columns, or the format names them.
 */
export function isHeaderless(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  { noHeader, columns, map, hasNames }: Pick<ColumnsQuestion, 'noHeader' | 'columns' | 'map' | 'hasNames'>,
): boolean {
  if (hasNames === true) return false;
  if (noHeader !== undefined || columns !== undefined || (map !== undefined && Object.keys(map).length > 0))
    return false;
  if (first.some((cell) => findNamedField(cell) !== null)) return false;
  // A single line is a row if it leaves no doubt.
  if (rows.length === 0) return first.filter(looksLikeData).length === 1;
  return first.some((cell, index) => {
    if (!looksLikeData(cell)) return false;
    const filled = rows.map((cells) => cells[index] ?? '').filter((other) => other.trim() !== '');
    return filled.length > 0 && filled.filter(looksLikeData).length >= filled.length * 0.8;
  });
}

/** True for a domain, a link or an address, which is a value and not the name of a column. `S.No` only looks like one. */
export function looksLikeData(cell: string): boolean {
  return parseDomain(cell).kind === 'domain' && !/^\s*[a-z]{1,4}\.no\s*$/i.test(cell);
}

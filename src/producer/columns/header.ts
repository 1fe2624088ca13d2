import type { Operation } from '../../core/credits/price-book.ts';
import type { ValidationError } from '../../core/errors.ts';
import { parseDomain } from '../../core/companies/company.ts';
import { findNamedField } from './header-names.ts';
import { fileError } from '../../csv/file-error.ts';

/** The first record of a file, and what the user said about columns. */
export interface ColumnsQuestion {
  readonly fileName: string;
  /** The line of the first record, from 1. */
  readonly lineNo: number;
  /** The cells of the first record: the header, unless `noHeader`. */
  readonly first: readonly string[];
  /** The first data rows, as evidence of what columns hold. Default: none. */
  readonly rows?: readonly (readonly string[])[] | undefined;
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly mapFields?: readonly string[] | undefined;
  readonly onDoubt?: 'refuse' | 'guess' | undefined;
  readonly noHeader?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly operations?: readonly Operation[] | undefined;
  readonly columnsMax: number;
}

/**
 * The names of all columns: the user's, else the header's without blanks around them, else `column_1`, `column_2`, ….
 *
 * @throws ValidationError when a name is missing or given twice, when there are too many columns or not as many as the user
 * named, and when the header looks like data, which would cost the first row.
 */
export function readHeader(question: ColumnsQuestion): readonly string[] {
  const { first, columnsMax } = question;
  if (first.length > columnsMax) {
    throw rejectColumns(question, `It has ${first.length} columns; ${columnsMax} are the most. Remove some.`);
  }
  if (question.columns !== undefined) return named(question.columns, question);
  if (question.noHeader === true) return first.map((_, index) => `column_${index + 1}`);
  if (question.map === undefined || Object.keys(question.map).length === 0) rejectData(question);
  return named(first, question);
}

/** The error for a header with characters that had to be replaced: it would give the columns names that nobody wrote. */
export function damagedHeader(fileName: string, lineNo: number, problem: string): ValidationError {
  return fileError(fileName, lineNo, `The header ${problem}. Mend it, or save the file as UTF-8.`);
}

/** The error for columns that cannot be used. It stands at the line of the header. */
export function rejectColumns(question: ColumnsQuestion, message: string): ValidationError {
  return fileError(question.fileName, question.lineNo, message);
}

const renameRemedy =
  'Mend the header, or name all columns in order in its place: --columns name,domain,… ' +
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
  throw rejectColumns(question, `${places} are both called ${JSON.stringify(name)}. ${renameRemedy}`);
}

function rejectData(question: ColumnsQuestion): void {
  const cell = question.first.find(looksLikeData);
  if (cell === undefined) return;
  const names = question.first.map((other, index) => (other === cell ? 'domain' : `column_${index + 1}`));
  throw rejectColumns(
    question,
    `There seems to be no header: ${JSON.stringify(cell)} looks like data. Name the columns with ` +
      `--no-header --columns ${names.join(',')}; or, if this is the header, say which column is which: ` +
      '--map company_name=COLUMN.',
  );
}

/**
 * The first line is a row like those below it: no cell is a header that is known, and one is an address in a column of addresses. Not where
 * the user said anything about columns.
 */
export function isHeaderless(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  { noHeader, columns, map }: Pick<ColumnsQuestion, 'noHeader' | 'columns' | 'map'>,
): boolean {
  if (noHeader !== undefined || columns !== undefined || (map !== undefined && Object.keys(map).length > 0))
    return false;
  if (rows.length === 0 || first.some((cell) => findNamedField(cell) !== null)) return false;
  return first.some((cell, index) => {
    if (!looksLikeData(cell)) return false;
    const filled = rows.map((cells) => cells[index] ?? '').filter((other) => other.trim() !== '');
    return filled.length > 0 && filled.filter(looksLikeData).length >= filled.length * 0.8;
  });
}

/** A domain, a link or an address is a value, never the name of a column; `S.No` only looks like one. */
export function looksLikeData(cell: string): boolean {
  return parseDomain(cell).kind === 'domain' && !/^\s*[a-z]{1,4}\.no\s*$/i.test(cell);
}

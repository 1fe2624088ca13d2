import { ValidationError } from '../../core/errors.ts';
import { companyFields } from './company-file.ts';
import { rejectColumns } from './header.ts';
import type { ColumnsQuestion } from './header.ts';

/**
 * The columns that the user mapped, as indexes from 0.
 *
 * A column is named as in the header; case counts only where two names differ by nothing else. Without a header and
 * without `columns` it may also be a number, from 1. An empty name says that no column holds the field.
 *
 * @throws ValidationError when a field or a column does not exist, or a column is meant for two fields.
 */
export function parseColumnMap(
  header: readonly string[],
  question: ColumnsQuestion,
): ReadonlyMap<string, number> {
  const { map = {}, mapFields = companyFields } = question;
  const mapped = new Map<string, number>();
  for (const [field, column] of Object.entries(map)) {
    // A mistake in the option, wherever the file is good.
    if (!mapFields.some((known) => known === field))
      throw new ValidationError(`--map knows ${mapFields.join(', ')}; not ${JSON.stringify(field)}.`);
    // Said to be in no column: nothing is guessed either.
    if (isNowhere(column)) continue;
    const index = indexOfColumn(column, header, question);
    if ([...mapped.values()].includes(index)) {
      throw rejectColumns(question, `--map uses the column ${JSON.stringify(column)} for two fields.`);
    }
    mapped.set(field, index);
  }
  return mapped;
}

/** True when a map says that no column holds a field. */
export function isNowhere(column: string | undefined): boolean {
  return column?.trim() === '';
}

/** The columns as a message shows them; a file can have many, and long ones. */
export function listColumns(header: readonly string[]): string {
  const shown = header.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = header.length > shown.length ? `, … (${header.length} in all)` : '';
  return shown.join(', ') + more;
}

function indexOfColumn(column: string, header: readonly string[], question: ColumnsQuestion): number {
  const name = column.trim();
  const exact = header.indexOf(name);
  if (exact !== -1) return exact;
  const alike = header.flatMap((other, index) => (other.toLowerCase() === name.toLowerCase() ? [index] : []));
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  const numbered = question.noHeader === true && /^\d+$/.test(name) ? Number(name) - 1 : -1;
  if (numbered >= 0 && numbered < header.length) return numbered;
  throw rejectColumns(
    question,
    `--map: there is no column ${JSON.stringify(column)}. The columns are: ${listColumns(header)}.`,
  );
}

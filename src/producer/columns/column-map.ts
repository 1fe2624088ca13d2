import { ValidationError } from '../../core/errors.ts';
import { companyFields } from './company-file.ts';
import { rejectColumns } from './header.ts';
import type { ColumnsQuestion } from './header.ts';

/**
 * Parses the column mapping of the user to indexes from 0.
 *
 * A column is named as in the header; case matters only where two names differ in nothing else. Without a header and without `columns`, it
 * can also be a number, from 1. `@first` is the first column of any file. An empty name means that no column holds the field.
 *
 * @throws ValidationError when a field or a column does not exist, or a column is mapped to two fields.
 */
export function resolveColumnMap(
  header: readonly string[],
  question: ColumnsQuestion,
): ReadonlyMap<string, number> {
  const { map = {}, mapFields = companyFields } = question;
  const mapped = new Map<string, number>();
  for (const [field, column] of Object.entries(map)) {
    // A mistake in the option, not in the file.
    if (!mapFields.some((known) => known === field))
      throw new ValidationError(
        `--map: unknown field ${JSON.stringify(field)}. Known fields: ${mapFields.join(', ')}.`,
      );
    // No column holds the field: none is guessed either.
    if (isNowhere(column)) continue;
    const index = indexOfColumn(column, header, question);
    if ([...mapped.values()].includes(index)) {
      throw rejectColumns(
        question,
        `--map uses the column ${JSON.stringify(column)} for two fields. Map it to one of them.`,
      );
    }
    mapped.set(field, index);
  }
  return mapped;
}

/** True when a mapping states that no column holds a field. */
export function isNowhere(column: string | undefined): boolean {
  return column?.trim() === '';
}

/** Lists column names for a message: at most 20, each of at most 60 characters. */
export function listColumns(header: readonly string[]): string {
  const shown = header.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = header.length > shown.length ? `, … (${header.length} in all)` : '';
  return shown.join(', ') + more;
}

function indexOfColumn(column: string, header: readonly string[], question: ColumnsQuestion): number {
  const name = column.trim();
  const exact = header.indexOf(name);
  if (exact !== -1) return exact;
  if (name === '@first') return 0;
  const alike = header.flatMap((other, index) => (other.toLowerCase() === name.toLowerCase() ? [index] : []));
  if (alike.length === 1 && alike[0] !== undefined) return alike[0];
  const numbered = question.noHeader === true && /^\d+$/.test(name) ? Number(name) - 1 : -1;
  if (numbered >= 0 && numbered < header.length) return numbered;
  throw rejectColumns(
    question,
    `--map: unknown column ${JSON.stringify(column)}. Columns of the file: ${listColumns(header)}.`,
  );
}

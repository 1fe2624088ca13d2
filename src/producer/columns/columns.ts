import {
  recogniseColumns,
  type Recognition,
  type SeenColumn,
  type SettledFields,
} from './recognise-columns.ts';
import { operations, type Operation } from '../../core/credits/price-book.ts';
import { headerKey } from './header-words.ts';
import { isNowhere, listColumns, resolveColumnMap } from './column-map.ts';
import { rejectDoubt } from './column-doubts.ts';
import { companyFields } from './company-file.ts';
import type { ColumnMap, CompanyField, FileForm } from './company-file.ts';
import { readHeader, rejectColumns } from './header.ts';
import type { ColumnsQuestion } from './header.ts';
import { findUnused, type UnusedColumn } from './unused-columns.ts';
import { describeKind, mapOption } from './column-labels.ts';

export type { ColumnsQuestion } from './header.ts';

/** Names of all columns, and the columns of the fields. */
export interface Columns extends Pick<
  FileForm,
  'header' | 'fields' | 'because' | 'alike' | 'unused' | 'mapped' | 'operations'
> {
  /** Columns whose values fit a field, although their names do not say so. */
  readonly proposals: readonly { readonly field: CompanyField; readonly column: string }[];
}

/**
 * Names the columns and finds those of the fields: by the user's mapping first, by names and values otherwise.
 *
 * Of several columns for a field, the one with the most specific name is used (`domain` before `url`); none where the mapping leaves the
 * field without a column.
 *
 * @throws ValidationError naming file, line and mapping option: when the header cannot be used, two columns match a field equally well, an
 * operation has no column, or an ambiguous column would be left out.
 */
export function findColumns(question: ColumnsQuestion): Columns {
  const header = readHeader(question);
  const mapped = resolveColumnMap(header, question);
  const sample = { header, rows: question.rows ?? [] };
  const found = recogniseColumns(
    sample,
    settledFields(mapped, question),
    reservedColumns(header, mapped, question),
  );
  const guesses = question.onDoubt === 'guess';
  const guessed = guesses ? guessName(found) : null;
  const columnOf = (field: CompanyField) =>
    found.fields[field].column ??
    (guesses ? proposedColumn(found, field) : null) ??
    (field === 'company_name' ? guessed : null);
  const fields = mapFields((field) => columnOf(field)?.index ?? null);
  const because = mapFields((field) => {
    if (mapped.has(field)) return 'map';
    const { because: reason, doubt } = found.fields[field];
    if (columnOf(field) === null) return null;
    return reason ?? (doubt === 'proposed' ? 'values' : 'name');
  });
  const alike = mapFields((field) => found.fields[field].others.map(({ name }) => name));
  const used = new Set([...mapped.values(), ...Object.values(fields).filter((index) => index !== null)]);
  const unused = findUnused(found, used);
  if (question.onDoubt !== 'guess') rejectDoubt(found, question);
  if (companyFields.every((field) => fields[field] === null)) throw noColumn(header, unused, question);
  return {
    header,
    fields,
    because,
    alike,
    unused,
    mapped,
    operations: operationsOf(fields, header, question),
    proposals: companyFields.flatMap((field) => {
      const column = fields[field] === null ? proposedColumn(found, field) : null;
      return column === null ? [] : [{ field, column: column.name }];
    }),
  };
}

/** Returns the likeliest column of names, where no other column identifies a company. */
function guessName({ fields }: Recognition): SeenColumn | null {
  const { company_domain: domain, company_name: name } = fields;
  const hasCompany = domain.column !== null || domain.doubt === 'proposed' || name.column !== null;
  return hasCompany ? null : (name.others[0] ?? null);
}

/** Returns the column whose values fit a field, although its name does not say so. */
function proposedColumn({ fields }: Recognition, field: CompanyField): SeenColumn | null {
  return fields[field].doubt === 'proposed' ? (fields[field].others[0] ?? null) : null;
}

/** Returns the fields that the user's mapping determines. */
function settledFields(mapped: ReadonlyMap<string, number>, { map }: ColumnsQuestion): SettledFields {
  const settled: Partial<Record<CompanyField, number | null>> = {};
  for (const field of companyFields) {
    const index = isNowhere(map?.[field]) ? null : mapped.get(field);
    if (index !== undefined) settled[field] = index;
  }
  return settled;
}

/** Returns columns of a mapping file that hold neither company nor address: by the mapping, or by the name of another field. */
function reservedColumns(
  header: readonly string[],
  mapped: ReadonlyMap<string, number>,
  { mapFields: known = companyFields }: ColumnsQuestion,
): ReadonlySet<number> {
  const own = new Set(
    known.filter((field) => !companyFields.some((other) => other === field)).map(headerKey),
  );
  const named = header.flatMap((name, index) => (own.has(headerKey(name)) ? [index] : []));
  return new Set([...named, ...mapped.values()]);
}

function mapFields<T>(valueOf: (field: CompanyField) => T): Readonly<Record<CompanyField, T>> {
  return {
    company_domain: valueOf('company_domain'),
    company_name: valueOf('company_name'),
    email: valueOf('email'),
  };
}

/** Fields of which an operation needs at least one. */
const fieldsOf: Readonly<Record<Operation, readonly CompanyField[]>> = {
  ads_search: ['company_domain', 'company_name'],
  email_validation: ['email'],
};

function operationsOf(
  fields: ColumnMap,
  header: readonly string[],
  question: ColumnsQuestion,
): readonly Operation[] {
  const possible = operations.filter((operation) =>
    fieldsOf[operation].some((field) => fields[field] !== null),
  );
  const impossible = question.operations?.find((operation) => !possible.includes(operation));
  if (impossible === undefined) return question.operations ?? possible;
  throw rejectColumns(
    question,
    `${impossible} needs a column for ${fieldsOf[impossible].join(' or ')}, but none was found by name or values. Columns of the file: ` +
      `${listColumns(header)}. Map one with --map ${fieldsOf[impossible][0] ?? ''}=COLUMN.`,
  );
}

function noColumn(
  header: readonly string[],
  unused: readonly UnusedColumn[],
  question: ColumnsQuestion,
): Error {
  const remedy =
    question.noHeader === true
      ? 'Name the columns in order (--columns name,domain,…) or map them by number: --map company_name=1.'
      : 'Map a column with --map company_name=COLUMN or --map company_domain=COLUMN. If the first line is ' +
        'data, name the columns: --no-header --columns name,domain,….';
  return rejectColumns(
    question,
    `No column for a company or an e-mail address was found by name or values. Columns of the file: ${listColumns(header)}. ` +
      `${contradictions(unused)}${remedy}`,
  );
}

/** Describes columns whose values contradict their names: probably the ones that the user means. */
function contradictions(unused: readonly UnusedColumn[]): string {
  return unused
    .flatMap((column) => {
      const { contradicts: field, name } = column;
      if (field === null) return [];
      const contents = `${JSON.stringify(name)} is named like ${field} but contains ${describeKind(column)}`;
      return [`${contents}; to use it anyway: ${mapOption(field, name)}. `];
    })
    .join('');
}

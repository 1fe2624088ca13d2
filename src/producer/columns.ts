import { operations, type Operation } from '../core/credits/price-book.ts';
import { findAlias } from './column-aliases.ts';
import { isNowhere, listColumns, parseColumnMap } from './column-map.ts';
import { companyFields } from './company-file.ts';
import type { ColumnMap, CompanyField } from './company-file.ts';
import { readHeader, refuseColumns } from './header.ts';
import type { ColumnsQuestion } from './header.ts';

export type { ColumnsQuestion } from './header.ts';

/** The names of all columns, and which of them hold our fields. */
export interface Columns {
  readonly header: readonly string[];
  readonly fields: ColumnMap;
  readonly mapped: ReadonlyMap<string, number>;
  readonly operations: readonly Operation[];
}

/**
 * Names the columns and finds those that hold our fields: by the user's map first, by alias otherwise.
 *
 * Of several columns known for a field, the one with the most telling name is taken (`domain` before `url`); none where the map
 * leaves the field without a column.
 *
 * @throws ValidationError naming file, line and how to map: when the header cannot be used, when two columns fit a field
 * equally well, and when no column fits any that an operation needs.
 */
export function findColumns(question: ColumnsQuestion): Columns {
  const header = readHeader(question);
  const mapped = parseColumnMap(header, question);
  const taken = new Set(mapped.values());

  function columnOf(field: CompanyField): number | null {
    if (isNowhere(question.map?.[field])) return null;
    return mapped.get(field) ?? columnByAlias(field, header, taken, question);
  }

  const fields: ColumnMap = {
    company_domain: columnOf('company_domain'),
    company_name: columnOf('company_name'),
    email: columnOf('email'),
  };
  if (companyFields.every((field) => fields[field] === null)) throw noColumn(header, question);
  return { header, fields, mapped, operations: operationsOf(fields, header, question) };
}

/** The fields of which an operation needs at least one. */
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
  throw refuseColumns(
    question,
    `For ${impossible} a column has to hold ${fieldsOf[impossible].join(' or ')}, and none does, going by the names: ` +
      `${listColumns(header)}. Say which one it is: --map ${fieldsOf[impossible][0] ?? ''}=COLUMN.`,
  );
}

function columnByAlias(
  field: CompanyField,
  header: readonly string[],
  taken: ReadonlySet<number>,
  question: ColumnsQuestion,
): number | null {
  const [first, second] = fittingColumns(field, header).filter(({ index }) => !taken.has(index));
  if (first === undefined) return null;
  if (second?.rank !== first.rank) return first.index;
  throw refuseColumns(
    question,
    `The columns ${JSON.stringify(first.name)} and ${JSON.stringify(second.name)} both look like ${field}. ` +
      `Say which one it is: --map ${field}=COLUMN.`,
  );
}

/** The columns that a field may be in, going by their names: the most telling first. */
export function fittingColumns(
  field: CompanyField,
  header: readonly string[],
): readonly { readonly name: string; readonly index: number; readonly rank: number }[] {
  return header
    .flatMap((name, index) => {
      const alias = findAlias(name);
      return alias?.field === field ? [{ name, index, rank: alias.rank }] : [];
    })
    .sort((one, other) => one.rank - other.rank);
}

function noColumn(header: readonly string[], question: ColumnsQuestion): Error {
  const remedy =
    question.noHeader === true
      ? 'Name the columns in order (--columns name,domain,…) or say which is which by number: --map company_name=1.'
      : 'Say which column is which: --map company_name=COLUMN or --map company_domain=COLUMN. If the first line is ' +
        'data, name the columns: --no-header --columns name,domain,….';
  return refuseColumns(
    question,
    `No column holds a company or an e-mail address, going by the names: ${listColumns(header)}. ${remedy}`,
  );
}

import type { CellKind } from './cell-kinds.ts';
import type { CompanyField } from './fields.ts';
import type { Recognition, SeenColumn } from './recognise-columns.ts';

/** A column of a list that holds no field, and what its first rows look like. */
export interface UnusedColumn {
  readonly name: string;
  /** `mixed`: no kind has most of its cells. */
  readonly looksLike: CellKind | 'person' | 'mixed' | 'empty';
  /** Up to three distinct cells of the first rows, cut off where they are long. */
  readonly examples: readonly string[];
  /** The field that it may hold, of those that no column holds; null for none. */
  readonly couldBe: CompanyField | null;
  /** The field that its name stands for, where its values say something else. */
  readonly contradicts: CompanyField | null;
}

/** Columns that no field is taken from, in the order of the file; `used` are their indexes. */
export function findUnused(
  { columns, fields }: Recognition,
  used: ReadonlySet<number>,
): readonly UnusedColumn[] {
  return columns
    .filter(({ index }) => !used.has(index))
    .map((column) => ({
      name: column.name,
      looksLike: column.looksLike ?? (column.values.filled === 0 ? 'empty' : 'mixed'),
      examples: column.values.examples,
      couldBe: fieldOf(column, fields),
      contradicts: contradictionOf(column, fields),
    }));
}

function fieldOf(column: SeenColumn, fields: Recognition['fields']): CompanyField | null {
  const open = (['company_domain', 'company_name', 'email'] as const).filter(
    (field) => fields[field].column === null,
  );
  return open.find((field) => fields[field].others.includes(column)) ?? null;
}

function contradictionOf({ named, index }: SeenColumn, fields: Recognition['fields']): CompanyField | null {
  if (named === null || named.isBare) return null;
  const { column, others } = fields[named.field];
  return column?.index === index || others.some((other) => other.index === index) ? null : named.field;
}

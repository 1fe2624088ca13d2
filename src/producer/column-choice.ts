import { companyFields, type CompanyField, type FileForm } from './company-file.ts';
import { fittingColumns } from './columns.ts';

/** Which column holds a field, why, and which others might. */
export interface ColumnChoice {
  readonly field: CompanyField;
  /** Null where no column holds it. */
  readonly column: string | null;
  /** `map`: it was said; `name`: it is called so; null where no column holds the field. */
  readonly because: 'map' | 'name' | null;
  /** Other columns that are called so too, the most telling first. */
  readonly others: readonly string[];
}

/** How the columns of a list were understood, field by field. */
export function choicesOf({ header, fields, mapped }: FileForm): readonly ColumnChoice[] {
  return companyFields.map((field) => {
    const index = fields[field];
    const others = fittingColumns(field, header).filter((other) => other.index !== index);
    const reason = mapped.has(field) ? 'map' : 'name';
    return {
      field,
      column: index === null ? null : (header[index] ?? null),
      because: index === null ? null : reason,
      others: others.map(({ name }) => name),
    };
  });
}

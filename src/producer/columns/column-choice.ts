import { companyFields, type CompanyField, type FileForm } from './company-file.ts';

/** Column of a field, with its reason and the alternatives. */
export interface ColumnChoice {
  readonly field: CompanyField;
  /** Null where no column holds it. */
  readonly column: string | null;
  /** `map`: it was said; `name`: it is called so; `values`: its cells are of that kind; null where no column holds the field. */
  readonly because: 'map' | 'name' | 'values' | null;
  /** Other columns that may hold it, the most telling first. */
  readonly others: readonly string[];
}

/** Columns of a file, field by field. */
export function choicesOf({ header, fields, because, alike }: FileForm): readonly ColumnChoice[] {
  return companyFields.map((field) => {
    const index = fields[field];
    return {
      field,
      column: index === null ? null : (header[index] ?? null),
      because: because[field],
      others: alike[field],
    };
  });
}

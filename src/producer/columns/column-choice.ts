import { companyFields, type CompanyField, type FileForm } from './company-file.ts';

/** Column of a field, with its reason and the alternatives. */
export interface ColumnChoice {
  readonly field: CompanyField;
  /** Null where no column holds it. */
  readonly column: string | null;
  /** `map`: the user mapped it; `name`: its name matches; `values`: its cells match; null where no column holds the field. */
  readonly because: 'map' | 'name' | 'values' | null;
  /** Other columns that may hold it, best match first. */
  readonly others: readonly string[];
}

/** Lists the column of each field. */
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

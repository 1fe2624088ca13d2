import type { Body } from '../../api/client.ts';
import { Field } from '../forms/field.tsx';

const labelCharsMax = 40;

/** A choice of the columns of a list for each field. */
export function MappingFields<Name extends string>({
  fields,
  columns,
  mapping,
  onChange,
}: {
  readonly fields: readonly { readonly name: Name; readonly label: string }[];
  readonly columns: Body<'ListColumns'>['columns'];
  /** Name of the column of each field; empty without one. */
  readonly mapping: Readonly<Record<Name, string>>;
  readonly onChange: (field: Name, column: string) => void;
}) {
  return (
    <div class="mapping">
      {fields.map(({ name, label }) => (
        <Field key={name} label={label}>
          <select value={mapping[name]} onChange={({ currentTarget }) => onChange(name, currentTarget.value)}>
            <option value="">No column</option>
            {columns.map((column) => (
              <option key={column.name} value={column.name}>
                {shorten(column.name, labelCharsMax)}
              </option>
            ))}
          </select>
        </Field>
      ))}
    </div>
  );
}

/** Shortens a text, with an ellipsis at its end. */
export function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

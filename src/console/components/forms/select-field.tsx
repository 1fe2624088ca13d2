import { Field } from './field.tsx';

/** Choice of one of some values. */
export function SelectField<Value extends string>({
  label,
  hint,
  values,
  nameOf,
  value,
  onSelect,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly value: Value;
  readonly onSelect: (value: Value) => void;
}) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      <select value={value} onChange={({ currentTarget }) => onSelect(currentTarget.value as Value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {nameOf(each)}
          </option>
        ))}
      </select>
    </Field>
  );
}

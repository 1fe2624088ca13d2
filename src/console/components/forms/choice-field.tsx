import { Field } from './field.tsx';

/** Choice of one value, or all. An unknown value, such as one from the URL, is offered as is. */
export function ChoiceField({
  label,
  all,
  value,
  error,
  choices,
  onChoose,
}: {
  readonly label: string;
  /** Label of the empty choice. */
  readonly all: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly onChoose: (value: string) => void;
}) {
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Field label={label} error={error}>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{all}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </Field>
  );
}

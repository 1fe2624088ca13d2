import { Field } from '../../../components/forms/field.tsx';
import { parseCap } from './cost.ts';

/** Field for the cap on the cost of calls at the sources, in their money. */
export function CapField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field
      label="Cap on the cost of calls"
      hint="In the currency of the price of the source, such as 5 USD. Leave empty for no limit."
      error={parseCap(value) === undefined ? 'Enter an amount with its currency, such as 5 USD.' : undefined}
    >
      <input size={12} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </Field>
  );
}

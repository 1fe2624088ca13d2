import { Field } from './field.tsx';

/** Field for a line of text, or for several with `rows`. */
export function TextField({
  label,
  hint,
  error,
  value,
  onText,
  charsMax = 300,
  rows,
  isRequired = false,
  isCode = false,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly charsMax?: number;
  readonly rows?: number;
  readonly isRequired?: boolean;
  readonly isCode?: boolean;
}) {
  const common = {
    class: isCode ? 'code' : undefined,
    required: isRequired,
    maxLength: charsMax,
    autocomplete: 'off',
    spellcheck: false,
    value,
  };
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {rows === undefined ? (
        <input {...common} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      ) : (
        <textarea {...common} rows={rows} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      )}
    </Field>
  );
}

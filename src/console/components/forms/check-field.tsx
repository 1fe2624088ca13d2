/** Checkbox with its label. */
export function CheckField({
  label,
  isChecked,
  isDisabled = false,
  onCheck,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onCheck: (isOn: boolean) => void;
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

import { changeDraft, possibleOperations, type Draft, type Operation } from './draft.ts';

/** Operations with their labels. */
const operations: readonly { readonly operation: Operation; readonly label: string }[] = [
  { operation: 'ads_search', label: 'Find ads of companies' },
  { operation: 'email_validation', label: 'Validate e-mail addresses' },
];

/** Choice of the operations; those that the columns do not allow are disabled. */
export function ChooseOperations({ draft }: { readonly draft: Draft }) {
  const possible = possibleOperations(draft.mapping);
  const toggle = (operation: Operation, isOn: boolean) =>
    changeDraft({
      operations: operations
        .map((each) => each.operation)
        .filter((each) => (each === operation ? isOn : draft.operations.includes(each))),
    });
  return (
    <fieldset>
      <legend>Operations</legend>
      {operations.map(({ operation, label }) => (
        <label key={operation} class="choice">
          <input
            type="checkbox"
            checked={draft.operations.includes(operation)}
            disabled={!possible.includes(operation)}
            onChange={({ currentTarget }) => toggle(operation, currentTarget.checked)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

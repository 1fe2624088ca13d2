import { change, possibleOperations, type Draft, type Operation } from './draft.ts';

/** Operations on each row. */
const operations: readonly { readonly operation: Operation; readonly label: string }[] = [
  { operation: 'ads_search', label: 'Look up the ads of the companies' },
  { operation: 'email_validation', label: 'Check the e-mail addresses' },
];

/** Choice of the operations; those that the columns do not allow are disabled. */
export function ChooseOperations({ draft }: { readonly draft: Draft }) {
  const possible = possibleOperations(draft.mapping);
  const toggle = (operation: Operation, isWanted: boolean) =>
    change({
      operations: operations
        .map((each) => each.operation)
        .filter((each) => (each === operation ? isWanted : draft.operations.includes(each))),
    });
  return (
    <fieldset>
      <legend>What to do with the rows</legend>
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

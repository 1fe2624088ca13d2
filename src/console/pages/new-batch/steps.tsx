/** Steps of the form, in order. */
const steps = [
  { step: 'file', name: 'File' },
  { step: 'columns', name: 'Columns' },
  { step: 'review', name: 'Review and cost' },
] as const;
/** Step of the form. */
export type Step = (typeof steps)[number]['step'];

/** Progress through the steps, with buttons to go back. */
export function Steps({
  step,
  reached,
  onGo,
}: {
  readonly step: Step;
  /** Furthest step that the user can open. */
  readonly reached: Step;
  readonly onGo: (step: Step) => void;
}) {
  const last = steps.findIndex((each) => each.step === reached);
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {steps.map(({ step: each, name }, index) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            {each !== step && index <= last ? (
              <button type="button" class="plain" onClick={() => onGo(each)}>
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

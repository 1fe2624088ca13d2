/** The steps on the way in, in their order. */
const steps = [
  { step: 'file', name: 'File' },
  { step: 'columns', name: 'Columns' },
  { step: 'review', name: 'Preview and cost' },
] as const;
export type Step = (typeof steps)[number]['step'];

/** Steps of the form, with links back. */
export function Steps({
  step,
  reached,
  onGo,
}: {
  readonly step: Step;
  /** The last step that can be gone to. */
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

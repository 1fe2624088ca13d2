import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Action } from '../../api/use-action.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { Section } from '../../components/page.tsx';
import { assignError } from './field-errors.ts';

/** Form of an inbox or a destination, with its name and a submit button. The field of an error gets the focus. */
export function ConnectionForm<Draft extends { readonly name: string }>({
  draft,
  onChange,
  action,
  first,
  button,
  busy,
  children,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly action: Action<[]>;
  /** Fields above the name. */
  readonly first: ComponentChildren;
  /** Label of the button: the action. */
  readonly button: string;
  /** Label of the button while the action runs. */
  readonly busy: string;
  /** Fields below the name. */
  readonly children: ComponentChildren;
}) {
  const { fields, rest } = assignError(action.error);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (action.error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [action.error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {first}
      <Section title="Name">
        <div class="card">
          <TextField
            label="Name"
            hint="Must be unique."
            error={fields.name}
            isRequired
            charsMax={100}
            value={draft.name}
            onText={(name) => onChange({ ...draft, name })}
          />
        </div>
      </Section>
      {children}
      <ErrorBanner error={rest} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning}>
          {action.isRunning ? busy : button}
        </button>
      </div>
    </form>
  );
}

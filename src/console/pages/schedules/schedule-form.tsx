import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { TermFields } from './term-fields.tsx';
import type { TermTexts } from './terms.ts';
import type { Recurrence } from './recurrence.ts';
import { RecurrencePicker } from './recurrence-picker.tsx';

/** Fields of a schedule, except its companies. */
export interface ScheduleDraft {
  readonly name: string;
  readonly recurrence: Recurrence;
  /** IANA name. */
  readonly zone: string;
  readonly texts: TermTexts;
}

/** Form of a schedule, with a submit button. */
export function ScheduleForm({
  draft,
  onChange,
  action,
  button,
  isReady = true,
  last,
  children,
}: {
  readonly draft: ScheduleDraft;
  readonly onChange: (draft: ScheduleDraft) => void;
  readonly action: Action<[]>;
  /** Label of the button: the action. */
  readonly button: string;
  readonly isReady?: boolean;
  /** Last fields of the form. */
  readonly last?: ComponentChildren;
  /** First fields of the form. */
  readonly children?: ComponentChildren;
}) {
  const { name, recurrence, zone, texts } = draft;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) action.run();
      }}
    >
      {children}
      <Section title="Recurrence">
        <div class="card">
          <RecurrencePicker
            recurrence={recurrence}
            zone={zone}
            onChange={(next) => onChange({ ...draft, recurrence: next })}
            onZone={(next) => onChange({ ...draft, zone: next })}
          />
        </div>
      </Section>
      <Section title="Name">
        <div class="card">
          <Field label="Name" hint="Must be unique.">
            <input
              required
              maxLength={100}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
            />
          </Field>
        </div>
      </Section>
      <TermFields texts={texts} onChange={(part) => onChange({ ...draft, texts: { ...texts, ...part } })} />
      {last}
      <ErrorBanner error={action.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning || !isReady}>
          {action.isRunning ? 'Saving …' : button}
        </button>
      </div>
    </form>
  );
}

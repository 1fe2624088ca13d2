import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { TermFields } from './term-fields.tsx';
import type { TermTexts } from './terms.ts';
import type { When } from './recurrence.ts';
import { WhenPicker } from './recurrence-picker.tsx';

/** Fields of a schedule, except its companies. */
export interface Entered {
  readonly name: string;
  readonly when: When;
  /** IANA name. */
  readonly zone: string;
  readonly texts: TermTexts;
}

/** All that is set of a schedule, with a button at the end. */
export function ScheduleForm({
  entered,
  onChange,
  action,
  button,
  isReady = true,
  children,
}: {
  readonly entered: Entered;
  readonly onChange: (entered: Entered) => void;
  readonly action: Action<[]>;
  /** Label of the button: the action. */
  readonly button: string;
  readonly isReady?: boolean;
  /** First fields of the form. */
  readonly children?: ComponentChildren;
}) {
  const { name, when, zone, texts } = entered;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) action.run();
      }}
    >
      {children}
      <Section title="When">
        <div class="card">
          <WhenPicker
            when={when}
            zone={zone}
            onChange={(next) => onChange({ ...entered, when: next })}
            onZone={(next) => onChange({ ...entered, zone: next })}
          />
        </div>
      </Section>
      <Section title="What it is called">
        <div class="card">
          <Field label="Name" hint="Unlike those of the other schedules.">
            <input
              required
              maxLength={100}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => onChange({ ...entered, name: currentTarget.value })}
            />
          </Field>
        </div>
      </Section>
      <TermFields texts={texts} onChange={(part) => onChange({ ...entered, texts: { ...texts, ...part } })} />
      <ErrorBanner failure={action.failure} />
      <div class="actions">
        <button type="submit" class="primary" disabled={action.isRunning || !isReady}>
          {action.isRunning ? 'One moment …' : button}
        </button>
      </div>
    </form>
  );
}

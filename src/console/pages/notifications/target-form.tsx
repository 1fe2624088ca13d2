import type { ComponentChildren } from 'preact';
import type { Action } from '../../api/use-action.ts';
import { CheckField } from '../../components/forms/check-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { Section } from '../../components/page.tsx';
import { ConnectionForm } from '../connections/connection-form.tsx';
import { assignError } from '../connections/field-errors.ts';
import type { TargetDraft } from './target-draft.ts';
import { eventLabels, eventNames } from './target-labels.ts';

/** Form of a target, with a submit button. */
export function TargetForm({
  draft,
  onChange,
  action,
  button,
  stored,
  children,
}: {
  readonly draft: TargetDraft;
  readonly onChange: (draft: TargetDraft) => void;
  readonly action: Action<[]>;
  /** Label of the button: the action. */
  readonly button: string;
  /** Address of a stored target, without its secret part. */
  readonly stored?: string;
  /** First fields of the form. */
  readonly children?: ComponentChildren;
}) {
  const { events } = draft;
  const { location, credentials } = assignError(action.error).fields;
  return (
    <ConnectionForm
      draft={draft}
      onChange={onChange}
      action={action}
      button={button}
      busy="Saving …"
      first={
        <Section title="Target">
          <div class="card mapping">
            {children}
            <AddressField
              draft={draft}
              error={location ?? credentials}
              onAddress={(address) => onChange({ ...draft, address })}
              {...(stored === undefined ? {} : { stored })}
            />
          </div>
        </Section>
      }
    >
      <Section title="Events">
        <div class="card">
          <fieldset>
            <legend>Send an event when</legend>
            {eventNames.map((event) => (
              <CheckField
                key={event}
                label={eventLabels[event]}
                isChecked={events.includes(event)}
                // The last one stays: a target without events would never receive any.
                isDisabled={events.length === 1 && events.includes(event)}
                onCheck={(isOn) =>
                  onChange({
                    ...draft,
                    events: isOn ? [...events, event] : events.filter((each) => each !== event),
                  })
                }
              />
            ))}
          </fieldset>
        </div>
      </Section>
    </ConnectionForm>
  );
}

const addressHints = {
  email: 'It first receives one mail with a link to confirm it, and no events before that.',
  slack: 'URL of an incoming webhook of Slack: https://hooks.slack.com/services/…',
  webhook: 'HTTPS URL that receives signed JSON. You get the signing secret in the next step.',
} as const;

function AddressField({
  draft: { kind, address },
  error,
  stored,
  onAddress,
}: {
  readonly draft: TargetDraft;
  readonly error: string | undefined;
  readonly stored?: string;
  readonly onAddress: (address: string) => void;
}) {
  const isKept = stored !== undefined && kind !== 'email';
  return (
    <TextField
      label={kind === 'email' ? 'E-mail address' : 'URL'}
      hint={isKept ? `Stored: ${stored}. Leave empty to keep it.` : addressHints[kind]}
      error={error}
      isRequired={!isKept}
      isCode
      charsMax={kind === 'email' ? 320 : 2000}
      value={address}
      onText={onAddress}
    />
  );
}

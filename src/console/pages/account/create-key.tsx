import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formText } from '../../components/forms/form-text.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { scopeLabels } from './labels.ts';

type Scope = Body<'ApiKey'>['scopes'][number];

const scopes = Object.keys(scopeLabels) as readonly Scope[];
const lifetimes: readonly (readonly [days: string, words: string])[] = [
  ['30', 'after 30 days'],
  ['90', 'after 90 days'],
  ['365', 'after a year'],
  ['', 'never'],
];
const dayMs = 24 * 60 * 60 * 1000;

/** Asks what a new key is for, what it may do and how long, and makes it. */
export function CreateKey({
  onCreated,
  onClose,
}: {
  readonly onCreated: (created: Body<'CreatedApiKey'>) => void;
  readonly onClose: () => void;
}) {
  // Sent again after a lost connection, it makes no second key.
  const [once, setOnce] = useState(newRequestKey);
  const action = useAction(async (form: HTMLFormElement) => {
    const chosen = scopes.filter((scope) => new FormData(form).getAll('scopes').includes(scope));
    const days = formText(form, 'days');
    onCreated(
      await read(
        api.POST('/v1/account/api-keys', {
          params: { header: { 'Idempotency-Key': once } },
          body: {
            name: formText(form, 'name'),
            scopes: chosen,
            ...(days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
          },
        }),
      ),
    );
  });
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form
        onInput={() => setOnce(newRequestKey())}
        onSubmit={(event) => {
          event.preventDefault();
          action.run(event.currentTarget);
        }}
      >
        <Field label="What it is for" hint="Such as the program that will use it.">
          <input name="name" required maxLength={200} autocomplete="off" />
        </Field>
        <fieldset>
          <legend>What it may do</legend>
          {scopes.map((scope) => (
            <label class="choice" key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope !== 'admin'} />
              {scopeLabels[scope]}
            </label>
          ))}
        </fieldset>
        <Field label="It expires">
          <select name="days" defaultValue="90">
            {lifetimes.map(([days, words]) => (
              <option key={days} value={days} selected={days === '90'}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <ErrorBanner failure={action.failure} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary" disabled={action.isRunning}>
            Create the key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

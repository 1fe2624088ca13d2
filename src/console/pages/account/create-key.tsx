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
const lifetimes: readonly (readonly [days: string, label: string])[] = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
  ['', 'Never'],
];
const dayMs = 24 * 60 * 60 * 1000;

/** Dialog that creates an API key with a name, permissions and an expiry. */
export function CreateKey({
  onCreated,
  onClose,
}: {
  readonly onCreated: (created: Body<'CreatedApiKey'>) => void;
  readonly onClose: () => void;
}) {
  // A retry after a lost connection creates no second key.
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const action = useAction(async (form: HTMLFormElement) => {
    const chosen = scopes.filter((scope) => new FormData(form).getAll('scopes').includes(scope));
    const days = formText(form, 'days');
    onCreated(
      await read(
        api.POST('/v1/account/api-keys', {
          params: { header: { 'Idempotency-Key': requestKey } },
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
    <Dialog title="Create API key" onClose={onClose}>
      <form
        onInput={() => setRequestKey(newRequestKey())}
        onSubmit={(event) => {
          event.preventDefault();
          action.run(event.currentTarget);
        }}
      >
        <Field label="Name" hint="For example, the program that uses the key.">
          <input name="name" required maxLength={200} autocomplete="off" />
        </Field>
        <fieldset>
          <legend>Permissions</legend>
          {scopes.map((scope) => (
            <label class="choice" key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked={scope !== 'admin'} />
              {scopeLabels[scope]}
            </label>
          ))}
        </fieldset>
        <Field label="Expires">
          <select name="days" defaultValue="90">
            {lifetimes.map(([days, label]) => (
              <option key={days} value={days} selected={days === '90'}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <ErrorBanner error={action.error} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.isRunning}>
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { SelectField } from '../../components/forms/select-field.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { MailState } from './mail-state.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { addressBody, emptyTarget } from './target-draft.ts';
import { TargetForm } from './target-form.tsx';
import { kindLabels } from './target-labels.ts';

const kinds = ['email', 'slack', 'webhook'] as const;

/** Page to add a target of events. */
export function NewTarget() {
  const loaded = useLoad('mail', (signal) => read(api.GET('/v1/webhooks', { signal })));
  return (
    <Page title="New notification target" lead="It receives events from now on.">
      <WhenLoaded loaded={loaded}>{({ mail_from: from }) => <Add mailFrom={from} />}</WhenLoaded>
    </Page>
  );
}

function Add({ mailFrom }: { readonly mailFrom: string | null }) {
  const { route } = useLocation();
  const [draft, setDraft] = useState(() => emptyTarget(mailFrom));
  // A retry after a lost connection adds no second target.
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const [created, setCreated] = useState<Body<'CreatedWebhook'> | null>(null);
  const action = useAction(async () => {
    const added = await read(
      api.POST('/v1/webhooks', {
        params: { header: { 'Idempotency-Key': requestKey } },
        body: { name: draft.name.trim(), ...addressBody(draft), events: [...draft.events] },
      }),
    );
    if (added.secret === null) show(added);
    else setCreated(added);
  });

  function show({ id, name }: Body<'CreatedWebhook'>): void {
    toast(`“${name}” added.`);
    route(`/account/notifications/${id}`);
  }

  function change(next: typeof draft): void {
    setDraft(next);
    setRequestKey(newRequestKey());
  }

  return (
    <>
      <MailState from={mailFrom} />
      <TargetForm draft={draft} onChange={change} action={action} button="Add target">
        <SelectField
          label="Kind"
          values={mailFrom === null ? kinds.filter((kind) => kind !== 'email') : kinds}
          nameOf={(kind) => kindLabels[kind]}
          value={draft.kind}
          onSelect={(kind) => change({ ...draft, kind, address: '' })}
        />
      </TargetForm>
      {created?.secret != null && <SigningSecret secret={created.secret} onClose={() => show(created)} />}
    </>
  );
}

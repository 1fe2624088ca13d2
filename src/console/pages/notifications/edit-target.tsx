import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { changedFields } from '../connections/changed-fields.ts';
import { addressBody, toTargetDraft, type TargetDraft } from './target-draft.ts';
import { TargetForm } from './target-form.tsx';

type Target = Body<'Webhook'>;

/** Page to edit a target. Its kind stays. */
export function EditTarget() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/webhooks/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Notification target"
      title={loaded.data === undefined ? 'Edit target' : `Edit “${loaded.data.name}”`}
      lead="Changes apply from the next event. A new mailbox has to be confirmed."
      actions={
        <a class="button" href={`/account/notifications/${id}`}>
          View target
        </a>
      }
    >
      <WhenLoaded loaded={loaded}>{(target) => <Edit key={id} target={target} />}</WhenLoaded>
    </Page>
  );
}

function Edit({ target }: { readonly target: Target }) {
  const { route } = useLocation();
  const [before] = useState(() => toTargetDraft(target));
  const [draft, setDraft] = useState(before);
  const action = useAction(async () => {
    const { id } = target;
    await read(api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: changesOf(draft, before) }));
    toast('Saved. Changes apply from the next event.');
    route(`/account/notifications/${id}`);
  });
  return (
    <TargetForm
      draft={draft}
      onChange={setDraft}
      action={action}
      button="Save changes"
      stored={target.target}
    />
  );
}

function changesOf(draft: TargetDraft, before: TargetDraft): Body<'WebhookChangeRequest'> {
  return changedFields(toChanges(draft), toChanges(before));
}

function toChanges(draft: TargetDraft): Body<'WebhookChangeRequest'> {
  return { name: draft.name.trim(), ...addressBody(draft), events: [...draft.events] };
}

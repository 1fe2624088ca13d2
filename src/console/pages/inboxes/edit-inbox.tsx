import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { changedFields } from '../connections/changed-fields.ts';
import { assignError } from '../connections/field-errors.ts';
import { StoredPlace } from '../connections/place-fields.tsx';
import { secretsOf } from '../connections/place.ts';
import { toInboxDraft, toInboxTerms, type InboxDraft } from './inbox-draft.ts';
import { InboxForm } from './inbox-form.tsx';

type Inbox = Body<'Inbox'>;

/** Page to edit an inbox. Its location stays. */
export function EditInbox() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/inboxes/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Inbox"
      title={loaded.data === undefined ? 'Edit inbox' : `Edit “${loaded.data.name}”`}
      lead="Changes apply from the next file."
      actions={
        <a class="button" href={`/inboxes/${id}`}>
          View inbox
        </a>
      }
    >
      <WhenLoaded loaded={loaded}>{(inbox) => <Edit key={id} inbox={inbox} />}</WhenLoaded>
    </Page>
  );
}

function Edit({ inbox }: { readonly inbox: Inbox }) {
  const { route } = useLocation();
  const [before] = useState(() => toInboxDraft(inbox));
  const [draft, setDraft] = useState(before);
  const action = useAction(async () => {
    const { id } = inbox;
    await read(api.PATCH('/v1/inboxes/{id}', { params: { path: { id } }, body: changesOf(draft, before) }));
    toast('Saved. Changes apply from the next file.');
    route(`/inboxes/${id}`);
  });
  return (
    <InboxForm draft={draft} onChange={setDraft} action={action} button="Save changes" busy="Saving …">
      <StoredPlace
        lead="To look into another location, add another inbox."
        isStored={inbox.has_credentials}
        place={draft.place}
        errors={assignError(action.error).fields}
        onChange={(part) => setDraft({ ...draft, place: { ...draft.place, ...part } })}
      />
    </InboxForm>
  );
}

function changesOf(draft: InboxDraft, before: InboxDraft): Body<'InboxChanges'> {
  return {
    ...changedFields(toInboxTerms(draft), toInboxTerms(before)),
    ...(draft.name === before.name ? {} : { name: draft.name.trim() }),
    ...secretsOf(draft.place),
  };
}

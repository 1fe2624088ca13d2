import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { assignError } from '../connections/field-errors.ts';
import { SecretFields } from '../connections/place-fields.tsx';
import { secretsOf } from '../connections/place.ts';
import { changedFields, toInboxDraft, toInboxTerms, type InboxDraft } from './inbox-draft.ts';
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
  const { fields } = assignError(action.error);
  return (
    <InboxForm draft={draft} onChange={setDraft} action={action} button="Save changes" busy="Saving …">
      <Section title="Location" lead="To look into another location, add another inbox.">
        <div class="card">
          <p>
            <code>{inbox.location}</code>
          </p>
          <div class="mapping">
            <SecretFields
              place={draft.place}
              errors={fields}
              isStored={inbox.has_credentials}
              onChange={(part) => setDraft({ ...draft, place: { ...draft.place, ...part } })}
            />
          </div>
        </div>
      </Section>
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

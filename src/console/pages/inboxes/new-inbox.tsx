import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { assignError } from '../connections/field-errors.ts';
import { PlaceFields } from '../connections/place-fields.tsx';
import { placeBody } from '../connections/place.ts';
import { emptyInbox, toInboxTerms } from './inbox-draft.ts';
import { InboxForm } from './inbox-form.tsx';

/** Page to add an inbox. */
export function NewInbox() {
  const { route } = useLocation();
  const [draft, setDraft] = useState(emptyInbox);
  // A retry after a lost connection adds no second inbox.
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const action = useAction(async () => {
    const { id, name } = await read(
      api.POST('/v1/inboxes', {
        params: { header: { 'Idempotency-Key': requestKey } },
        body: { name: draft.name.trim(), ...placeBody(draft.place), ...toInboxTerms(draft) },
      }),
    );
    toast(`“${name}” added.`);
    route(`/inboxes/${id}`);
  });
  const { fields } = assignError(action.error);

  function change(next: typeof draft): void {
    setDraft(next);
    setRequestKey(newRequestKey());
  }

  return (
    <Page
      title="New inbox"
      lead="Each new file of a location becomes a batch. You pay for the results of its batches."
    >
      {!can('batches:write') && (
        <Banner kind="warning">
          <p>Your role cannot add inboxes. Ask an admin of this account.</p>
        </Banner>
      )}
      <InboxForm
        draft={draft}
        onChange={change}
        action={action}
        button="Add inbox"
        busy="Opening the location …"
      >
        <Section title="Location" lead="It is opened at once, to check the address and the credentials.">
          <div class="card">
            <PlaceFields
              kinds={['folder', 's3', 'sftp', 'https', 'postgres']}
              place={draft.place}
              errors={fields}
              onChange={(part) => change({ ...draft, place: { ...draft.place, ...part } })}
            />
          </div>
        </Section>
      </InboxForm>
    </Page>
  );
}

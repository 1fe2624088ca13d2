import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Banner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { assignError } from '../connections/field-errors.ts';
import { PlaceFields } from '../connections/place-fields.tsx';
import { placeBody } from '../connections/place.ts';
import { emptyDestination, toDestinationForm, toScope } from './destination-draft.ts';
import { DestinationForm } from './destination-form.tsx';
import { ScopeFields } from './scope-fields.tsx';

/** Page to add a destination. */
export function NewDestination() {
  const { route } = useLocation();
  const batch = useQuery().get('batch');
  const [draft, setDraft] = useState(() => emptyDestination(batch));
  // A retry after a lost connection adds no second destination.
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const action = useAction(async () => {
    const { id, name } = await read(
      api.POST('/v1/destinations', {
        params: { header: { 'Idempotency-Key': requestKey } },
        body: {
          name: draft.name.trim(),
          ...placeBody(draft.place),
          ...toDestinationForm(draft),
          ...toScope(draft),
        },
      }),
    );
    toast(`“${name}” added.`);
    route(`/destinations/${id}`);
  });
  const { fields } = assignError(action.error);

  function change(next: typeof draft): void {
    setDraft(next);
    setRequestKey(newRequestKey());
  }

  return (
    <Page title="New destination" lead="Results land when a batch finishes. Landings are free.">
      {!can('admin') && (
        <Banner kind="warning">
          <p>Your role cannot add destinations. Ask an admin of this account.</p>
        </Banner>
      )}
      <DestinationForm draft={draft} onChange={change} action={action} button="Add destination">
        <Section title="Location" lead="It is opened at once, to check the address and the credentials.">
          <div class="card">
            <PlaceFields
              kinds={['folder', 's3', 'sftp', 'postgres']}
              place={draft.place}
              errors={fields}
              onChange={(part) => change({ ...draft, place: { ...draft.place, ...part } })}
            />
          </div>
        </Section>
        <Section title="Batches">
          <div class="card mapping">
            <ScopeFields scope={draft.scope} onChange={(scope) => change({ ...draft, scope })} />
          </div>
        </Section>
      </DestinationForm>
    </Page>
  );
}

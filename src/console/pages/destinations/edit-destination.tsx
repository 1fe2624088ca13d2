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
import { toDestinationDraft, toDestinationForm, type DestinationDraft } from './destination-draft.ts';
import { DestinationForm } from './destination-form.tsx';

type Destination = Body<'Destination'>;

/** Page to edit a destination. Its location and its batches stay. */
export function EditDestination() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/destinations/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Destination"
      title={loaded.data === undefined ? 'Edit destination' : `Edit “${loaded.data.name}”`}
      lead="Changes apply from the next landing."
      actions={
        <a class="button" href={`/destinations/${id}`}>
          View destination
        </a>
      }
    >
      <WhenLoaded loaded={loaded}>{(destination) => <Edit key={id} destination={destination} />}</WhenLoaded>
    </Page>
  );
}

function Edit({ destination }: { readonly destination: Destination }) {
  const { route } = useLocation();
  const [before] = useState(() => toDestinationDraft(destination));
  const [draft, setDraft] = useState(before);
  const action = useAction(async () => {
    const { id } = destination;
    const body = changesOf(draft, before);
    await read(api.PATCH('/v1/destinations/{id}', { params: { path: { id } }, body }));
    toast('Saved. Changes apply from the next landing.');
    route(`/destinations/${id}`);
  });
  return (
    <DestinationForm draft={draft} onChange={setDraft} action={action} button="Save changes">
      <StoredPlace
        lead="To write to another location, add another destination."
        isStored={destination.has_credentials}
        place={draft.place}
        errors={assignError(action.error).fields}
        onChange={(part) => setDraft({ ...draft, place: { ...draft.place, ...part } })}
      />
    </DestinationForm>
  );
}

function changesOf(draft: DestinationDraft, before: DestinationDraft): Body<'DestinationChangeRequest'> {
  return {
    ...changedFields(toDestinationForm(draft), toDestinationForm(before)),
    ...(draft.name === before.name ? {} : { name: draft.name.trim() }),
    ...secretsOf(draft.place),
  };
}

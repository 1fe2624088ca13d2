import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { ConfirmRemoval } from '../../components/confirm-removal.tsx';
import { toast } from '../../components/toast.tsx';

type Destination = Body<'Destination'>;

/** Actions on a destination: test, disable or enable, edit, remove. */
export function DestinationControls({
  destination,
  onChanged,
}: {
  readonly destination: Destination;
  readonly onChanged: (destination: Destination) => void;
}) {
  const { id, name, state } = destination;
  const path = { params: { path: { id } } };
  const [isRemoving, setRemoving] = useState(false);
  const [tested, setTested] = useState<Body<'TestedDestination'> | null>(null);
  const testing = useAction(async () => {
    setTested(null);
    setTested(await read(api.POST('/v1/destinations/{id}/test', path)));
  });
  const switching = useAction(async () => {
    const body = { state: state === 'active' ? ('disabled' as const) : ('active' as const) };
    onChanged(await read(api.PATCH('/v1/destinations/{id}', { ...path, body })));
    toast(state === 'active' ? 'Destination disabled.' : 'Destination enabled.');
  });
  return (
    <>
      <div class="actions controls">
        <button type="button" class="primary" disabled={testing.isRunning} onClick={testing.run}>
          {testing.isRunning ? 'Testing …' : 'Test'}
        </button>
        <button type="button" disabled={switching.isRunning} onClick={switching.run}>
          {state === 'active' ? 'Disable' : 'Enable'}
        </button>
        <a class="button" href={`/destinations/${id}/edit`}>
          Edit
        </a>
        <button type="button" class="danger" onClick={() => setRemoving(true)}>
          Remove …
        </button>
      </div>
      <ErrorBanner error={testing.error ?? switching.error} />
      {tested !== null && (
        <Banner kind={tested.writable ? 'good' : 'error'}>
          <p>{tested.error ?? 'Nightshift can write to the location.'}</p>
        </Banner>
      )}
      {isRemoving && (
        <ConfirmRemoval
          verb="Remove"
          noun="destination"
          name={name}
          backTo="/destinations"
          remove={() => read(api.DELETE('/v1/destinations/{id}', path))}
          onClose={() => setRemoving(false)}
        >
          <p>
            Its credentials are deleted, and pending landings are not written. What landed stays. This cannot
            be undone.
          </p>
        </ConfirmRemoval>
      )}
    </>
  );
}

import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmRemoval } from '../../components/confirm-removal.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { toast } from '../../components/toast.tsx';

type Inbox = Body<'Inbox'>;

/** Actions on an inbox: look now, pause or resume, edit, remove. */
export function InboxControls({
  inbox,
  onChanged,
}: {
  readonly inbox: Inbox;
  readonly onChanged: (inbox: Inbox) => void;
}) {
  const { id, name, state } = inbox;
  const path = { params: { path: { id } } };
  const [isRemoving, setRemoving] = useState(false);
  const action = useAction(async (move: 'look' | 'pause' | 'resume') => {
    onChanged(await read(api.POST(`/v1/inboxes/{id}/${move}`, path)));
    toast(moves[move]);
  });
  return (
    <>
      <div class="actions controls">
        <button
          type="button"
          class="primary"
          disabled={action.isRunning || state === 'paused'}
          onClick={() => action.run('look')}
        >
          Look now
        </button>
        <button
          type="button"
          disabled={action.isRunning}
          onClick={() => action.run(state === 'active' ? 'pause' : 'resume')}
        >
          {state === 'active' ? 'Pause' : 'Resume'}
        </button>
        <a class="button" href={`/inboxes/${id}/edit`}>
          Edit
        </a>
        <button type="button" class="danger" onClick={() => setRemoving(true)}>
          Remove …
        </button>
      </div>
      <ErrorBanner error={action.error} />
      {isRemoving && (
        <ConfirmRemoval
          verb="Remove"
          noun="inbox"
          name={name}
          backTo="/inboxes"
          remove={() => read(api.DELETE('/v1/inboxes/{id}', path))}
          onClose={() => setRemoving(false)}
        >
          <p>
            Its credentials are deleted, and its new files become no batches any more. Batches and the files
            in the location are kept. This cannot be undone.
          </p>
        </ConfirmRemoval>
      )}
    </>
  );
}

const moves = {
  look: 'Nightshift looks into the inbox within seconds.',
  pause: 'Inbox paused.',
  resume: 'Inbox resumed.',
} as const;

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { say } from '../../components/toast.tsx';

type Schedule = Body<'Schedule'>;

/** Actions on a schedule: run it now, pause it, edit it, remove it. */
export function Controls({
  schedule,
  onChanged,
  onRun,
}: {
  readonly schedule: Schedule;
  readonly onChanged: (schedule: Schedule) => void;
  readonly onRun: () => void;
}) {
  const { id, state } = schedule;
  const path = { params: { path: { id } } };
  const [asking, setAsking] = useState<'run' | 'remove' | null>(null);
  const resting = useAction(async () => {
    if (state === 'active') {
      onChanged(await read(api.POST('/v1/schedules/{id}/pause', path)));
      say('Paused: none of its times counts until you resume it.');
    } else {
      onChanged(await read(api.POST('/v1/schedules/{id}/resume', path)));
      say('Its times count again, from now on.');
    }
  });
  return (
    <>
      <div class="actions controls">
        <button type="button" class="primary" onClick={() => setAsking('run')}>
          Run now …
        </button>
        <button type="button" disabled={resting.isRunning} onClick={resting.run}>
          {state === 'active' ? 'Pause' : 'Resume'}
        </button>
        <a class="button" href={`/schedules/${id}/edit`}>
          Change
        </a>
        <button type="button" class="danger" onClick={() => setAsking('remove')}>
          Remove …
        </button>
      </div>
      <ErrorBanner failure={resting.failure} />
      {asking === 'run' && (
        <RunNow
          schedule={schedule}
          onRun={() => {
            setAsking(null);
            onRun();
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'remove' && <Remove schedule={schedule} onClose={() => setAsking(null)} />}
    </>
  );
}

function RunNow({
  schedule: { id, name, companies, max_credits: budget },
  onRun,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onRun: () => void;
  readonly onClose: () => void;
}) {
  // Sent again after a lost connection, it makes no second scan.
  const [once] = useState(newRequestKey);
  const action = useAction(async () => {
    const params = { path: { id }, header: { 'Idempotency-Key': once } };
    await read(api.POST('/v1/schedules/{id}/run', { params }));
    say('It begins within seconds.');
    onRun();
  });
  return (
    <Confirm
      title={`Run “${name}” now?`}
      confirm="Run it now"
      isRunning={action.isRunning}
      failure={action.failure}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        {companies === 1 ? 'Its one company is' : `Its ${companies} companies are`} looked up once more,
        besides its times. What is found is charged as always
        {budget === null ? '' : `, up to ${budget} credits`}.
      </p>
    </Confirm>
  );
}

function Remove({
  schedule: { id, name },
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}) {
  const { route } = useLocation();
  const action = useAction(async () => {
    await read(api.DELETE('/v1/schedules/{id}', { params: { path: { id } } }));
    say(`“${name}” is removed.`);
    route('/schedules');
  });
  return (
    <Confirm
      title={`Remove “${name}”?`}
      confirm="Remove it for good"
      isDangerous
      isRunning={action.isRunning}
      failure={action.failure}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        It runs no more, and nobody can bring it back. Its lists and changes stay; a scan that runs goes on,
        one that waits is skipped.
      </p>
    </Confirm>
  );
}

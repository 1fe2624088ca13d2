import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmRemoval } from '../../components/confirm-removal.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';

type Schedule = Body<'Schedule'>;

/** Actions on a schedule: run now, pause or resume, edit, delete. */
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
  const [dialog, setDialog] = useState<'run' | 'delete' | null>(null);
  const pausing = useAction(async () => {
    if (state === 'active') {
      onChanged(await read(api.POST('/v1/schedules/{id}/pause', path)));
      toast('Schedule paused.');
    } else {
      onChanged(await read(api.POST('/v1/schedules/{id}/resume', path)));
      toast('Schedule resumed.');
    }
  });
  return (
    <>
      <div class="actions controls">
        <button type="button" class="primary" onClick={() => setDialog('run')}>
          Run now …
        </button>
        <button type="button" disabled={pausing.isRunning} onClick={pausing.run}>
          {state === 'active' ? 'Pause' : 'Resume'}
        </button>
        <a class="button" href={`/schedules/${id}/edit`}>
          Edit
        </a>
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete …
        </button>
      </div>
      <ErrorBanner error={pausing.error} />
      {dialog === 'run' && (
        <RunNow
          schedule={schedule}
          onRun={() => {
            setDialog(null);
            onRun();
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmRemoval
          verb="Delete"
          noun="schedule"
          name={schedule.name}
          backTo="/schedules"
          remove={() => read(api.DELETE('/v1/schedules/{id}', { params: { path: { id: schedule.id } } }))}
          onClose={() => setDialog(null)}
        >
          <p>
            Future scans stop. A running scan finishes, a waiting scan is skipped. Batches and changes are
            kept. This cannot be undone.
          </p>
        </ConfirmRemoval>
      )}
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
  // A retry after a lost connection starts no second scan.
  const [requestKey] = useState(newRequestKey);
  const action = useAction(async () => {
    const params = { path: { id }, header: { 'Idempotency-Key': requestKey } };
    await read(api.POST('/v1/schedules/{id}/run', { params }));
    toast('The scan starts within seconds.');
    onRun();
  });
  return (
    <Confirm
      title={`Run “${name}” now?`}
      confirm="Run now"
      isRunning={action.isRunning}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        Scans {formatCounted(companies, 'company', 'companies')} as an extra run. Results cost the usual price
        {budget === null ? '' : `, up to ${budget} credits`}.
      </p>
    </Confirm>
  );
}

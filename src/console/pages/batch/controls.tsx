import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { isEnded } from '../../components/batch-state.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import { ResumePanel } from './resume-panel.tsx';
import { RunAgain } from './run-again.tsx';
import { isSchedulable, ScheduleThis } from './schedule-this.tsx';
import { RetryFailed } from './retry-failed.tsx';

type Batch = Body<'Batch'>;
type OpenDialog = 'cancel' | 'resume' | 'retry' | 'run-again';

/** Actions on a batch in its state: pause, resume, retry, run again, schedule, cancel. */
export function Controls({
  batch,
  onChanged,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
}) {
  const { id, state, lookups } = batch;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  const changed = (after: Batch) => {
    close();
    onChanged(after);
  };
  const path = { params: { path: { id } } };
  const pausing = useAction(async () => {
    onChanged(await read(api.POST('/v1/batches/{id}/pause', path)));
    toast('Batch paused. Its reserved credits are released.');
  });
  const cancelling = useAction(async () => changed(await read(api.POST('/v1/batches/{id}/cancel', path))));
  const isHalted = state === 'paused' || state === 'waiting_for_credits' || state === 'waiting_for_source';
  const canRetry = state === 'finished' && lookups.failed > 0 && batch.purged_at === null;
  const canRunAgain = isEnded(state) && batch.purged_at === null;
  const canSchedule = isSchedulable(batch);
  if (isEnded(state) && !canRetry && !canRunAgain) return null;
  return (
    <>
      <div class="actions controls">
        {isHalted && (
          <button type="button" class="primary" onClick={() => setDialog('resume')}>
            Resume …
          </button>
        )}
        {state !== 'paused' && state !== 'loading' && !isEnded(state) && (
          <button type="button" disabled={pausing.isRunning} onClick={pausing.run}>
            {pausing.isRunning ? 'Finishing open calls …' : 'Pause'}
          </button>
        )}
        {!isEnded(state) && (
          <button type="button" class="danger" onClick={() => setDialog('cancel')}>
            Cancel batch …
          </button>
        )}
        {canRetry && (
          <button type="button" class="primary" onClick={() => setDialog('retry')}>
            Retry failed lookups …
          </button>
        )}
        {canRunAgain && (
          <button type="button" onClick={() => setDialog('run-again')}>
            Run again …
          </button>
        )}
        {canSchedule && <ScheduleThis id={id} />}
      </div>
      <ErrorBanner error={pausing.error} />
      {dialog === 'resume' && <ResumePanel batch={batch} onChanged={changed} onClose={close} />}
      {dialog === 'retry' && <RetryFailed batch={batch} onChanged={changed} onClose={close} />}
      {dialog === 'run-again' && <RunAgain batch={batch} onClose={close} />}
      {dialog === 'cancel' && (
        <Confirm
          title="Cancel this batch?"
          confirm="Cancel batch"
          dismiss="Keep batch"
          isDangerous
          isRunning={cancelling.isRunning}
          error={cancelling.error}
          onConfirm={cancelling.run}
          onClose={close}
        >
          <p>
            You keep all results so far. {formatCounted(lookups.open, 'open lookup')} will not run and cost
            nothing. This cannot be undone. To stop for a while, pause the batch.
          </p>
        </Confirm>
      )}
    </>
  );
}

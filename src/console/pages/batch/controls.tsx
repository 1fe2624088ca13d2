import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { isOver } from '../../components/batch-state.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { say } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';
import { GoOn } from './resume-panel.tsx';
import { RetryFailed } from './retry-failed.tsx';

type Batch = Body<'Batch'>;
type Asking = 'cancel' | 'go_on' | 'retry';

/** Actions on a batch in its state: pause, resume, retry, cancel. */
export function Controls({
  batch,
  onChanged,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
}) {
  const { id, state, lookups } = batch;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const changed = (after: Batch) => {
    close();
    onChanged(after);
  };
  const path = { params: { path: { id } } };
  const pausing = useAction(async () => {
    onChanged(await read(api.POST('/v1/batches/{id}/pause', path)));
    say('Paused: no call is under way, and nothing is held.');
  });
  const cancelling = useAction(async () => changed(await read(api.POST('/v1/batches/{id}/cancel', path))));
  const isHalted = state === 'paused' || state === 'waiting_for_credits' || state === 'waiting_for_source';
  const canRetry = state === 'finished' && lookups.failed > 0 && batch.purged_at === null;
  if (isOver(state) && !canRetry) return null;
  return (
    <>
      <div class="actions controls">
        {isHalted && (
          <button type="button" class="primary" onClick={() => setAsking('go_on')}>
            Go on …
          </button>
        )}
        {state !== 'paused' && state !== 'loading' && !isOver(state) && (
          <button type="button" disabled={pausing.isRunning} onClick={pausing.run}>
            {pausing.isRunning ? 'Waiting for calls under way …' : 'Pause'}
          </button>
        )}
        {!isOver(state) && (
          <button type="button" class="danger" onClick={() => setAsking('cancel')}>
            Cancel …
          </button>
        )}
        {canRetry && (
          <button type="button" class="primary" onClick={() => setAsking('retry')}>
            Try the failed ones again …
          </button>
        )}
      </div>
      <ErrorBanner failure={pausing.failure} />
      {asking === 'go_on' && <GoOn batch={batch} onChanged={changed} onClose={close} />}
      {asking === 'retry' && <RetryFailed batch={batch} onChanged={changed} onClose={close} />}
      {asking === 'cancel' && (
        <Confirm
          title="Cancel this list?"
          confirm="Cancel it for good"
          isDangerous
          isRunning={cancelling.isRunning}
          failure={cancelling.failure}
          onConfirm={cancelling.run}
          onClose={close}
        >
          <p>
            What is done stays and can be downloaded. {formatCounted(lookups.open, 'lookup')} that are open
            will not be made, and cost nothing. This cannot be undone; to stop for a while, pause it.
          </p>
        </Confirm>
      )}
    </>
  );
}

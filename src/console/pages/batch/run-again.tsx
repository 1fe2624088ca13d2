import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';
import { newRequestKey } from '../../api/request-key.ts';
import { reuseDays } from '../new-batch/submit.ts';

type Batch = Body<'Batch'>;

/** Dialog that runs the rows of a batch again, as a new batch, and opens that. */
export function RunAgain({ batch, onClose }: { readonly batch: Batch; readonly onClose: () => void }) {
  const { id, lookups, credits } = batch;
  const { route } = useLocation();
  const [reuses, setReuses] = useState(false);
  const [requestKey] = useState(newRequestKey);
  const running = useAction(async () => {
    const created = await read(
      api.POST('/v1/batches/{id}/run-again', {
        params: { path: { id }, header: { 'Idempotency-Key': reuses ? `${requestKey}-reuse` : requestKey } },
        body: reuses ? { max_age: `${reuseDays}d` } : {},
      }),
    );
    onClose();
    route(`/batches/${created.id}`);
  });
  return (
    <Confirm
      title="Run this batch again?"
      confirm="Run again"
      isRunning={running.isRunning}
      error={running.error}
      onConfirm={running.run}
      onClose={onClose}
    >
      <p>
        A new batch looks up {formatCounted(lookups.total, 'company or address', 'companies and addresses')}{' '}
        in the same sources, for up to {formatCredits(credits.ceiling)} credits. This batch keeps its results.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={reuses}
          onChange={({ currentTarget }) => setReuses(currentTarget.checked)}
        />
        Look up only what is older than {reuseDays} days, and reuse the other results for free
      </label>
    </Confirm>
  );
}

import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';

type Batch = Body<'Batch'>;

/** Dialog that retries failed lookups. Lookups in doubt, which the source may have charged, need a tick. */
export function RetryFailed({
  batch,
  onChanged,
  onClose,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
  readonly onClose: () => void;
}) {
  const { id, lookups } = batch;
  const [includesInDoubt, setIncludesInDoubt] = useState(false);
  const retrying = useAction(async () => {
    const body = includesInDoubt ? { in_doubt: true } : {};
    const {
      retried,
      in_doubt_left: left,
      ...after
    } = await read(api.POST('/v1/batches/{id}/retry', { params: { path: { id } }, body }));
    toast(
      `Retrying ${formatCounted(retried, 'lookup')}.` +
        (left === 0 ? '' : ` Skipped ${formatCounted(left, 'lookup')} in doubt.`),
    );
    onChanged(after);
  });
  return (
    <Confirm
      title={`Retry ${formatCounted(lookups.failed, 'failed lookup')}?`}
      confirm="Retry"
      isRunning={retrying.isRunning}
      error={retrying.error}
      onConfirm={retrying.run}
      onClose={onClose}
    >
      <p>Failed lookups were free. Results of the retry cost the usual price.</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={includesInDoubt}
          onChange={({ currentTarget }) => setIncludesInDoubt(currentTarget.checked)}
        />
        Include lookups in doubt
      </label>
      <p class="hint">
        Their call ended before a response. The source may already have charged it, and may charge again.
      </p>
    </Confirm>
  );
}

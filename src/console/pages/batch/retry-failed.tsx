import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { say } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';

type Batch = Body<'Batch'>;

/** Looks the failed ones up again; those whose call may have been paid for at the source only when that is said. */
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
  const [isDoubtfulToo, setDoubtfulToo] = useState(false);
  const retrying = useAction(async () => {
    const body = isDoubtfulToo ? { in_doubt: true } : {};
    const {
      retried,
      in_doubt_left: left,
      ...after
    } = await read(api.POST('/v1/batches/{id}/retry', { params: { path: { id } }, body }));
    say(
      `${formatCounted(retried, 'lookup is', 'lookups are')} tried again.` +
        (left === 0 ? '' : ` ${formatCounted(left, 'one in doubt is', 'in doubt are')} left as they are.`),
    );
    onChanged(after);
  });
  return (
    <Confirm
      title={`Try ${formatCounted(lookups.failed, 'failed lookup')} again?`}
      confirm="Try again"
      isRunning={retrying.isRunning}
      failure={retrying.failure}
      onConfirm={retrying.run}
      onClose={onClose}
    >
      <p>They cost nothing so far. What is found now costs what it always does.</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isDoubtfulToo}
          onChange={({ currentTarget }) => setDoubtfulToo(currentTarget.checked)}
        />
        Also those in doubt
      </label>
      <p class="hint">
        Of those, a call was cut off after it was sent. The source may have charged for it, and would again.
      </p>
    </Confirm>
  );
}

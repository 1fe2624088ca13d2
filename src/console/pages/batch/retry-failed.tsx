import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { Confirm } from '../../components/dialog.tsx';
import { CheckField } from '../../components/forms/check-field.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';

type Batch = Body<'Batch'>;

/**
 * Dialog that retries failed lookups, after it has named their maximum cost. Lookups in doubt, which the source may have charged, need a tick.
 *
 * @param rows numbers of the rows to retry; their companies that were not identified are retried, too. Default: failed lookups of all rows.
 */
export function RetryFailed({
  batch: { id, origin },
  rows,
  onChanged,
  onClose,
}: {
  readonly batch: Batch;
  readonly rows?: readonly number[];
  readonly onChanged: (batch: Batch) => void;
  readonly onClose: () => void;
}) {
  const [includesInDoubt, setIncludesInDoubt] = useState(false);
  const retry = (more: Body<'RetryRequest'>) => {
    const ofRows = rows && { rows: [...rows], unidentified: origin?.kind !== 'schedule' };
    const body = { ...ofRows, in_doubt: includesInDoubt, ...more };
    return read(api.POST('/v1/batches/{id}/retry', { params: { path: { id } }, body }));
  };
  const { data } = useLoad(`retry ${includesInDoubt}`, () => retry({ dry_run: true }));
  const retrying = useAction(async () => {
    const { retried, in_doubt_left: left, ...after } = await retry({});
    toast(
      `Retrying ${formatCounted(retried, 'lookup')}.` +
        (left === 0 ? '' : ` Skipped ${formatCounted(left, 'lookup')} in doubt.`),
    );
    onChanged(after);
  });
  const what = rows === undefined ? 'failed lookup' : 'lookup';
  return (
    <Confirm
      title={data === undefined ? 'Retry' : `Retry ${formatCounted(data.retried, what)}?`}
      confirm="Retry"
      isRunning={retrying.isRunning}
      error={retrying.error}
      onConfirm={retrying.run}
      onClose={onClose}
    >
      <p>
        Failed lookups were free. Results of the retry cost the usual price
        {data !== undefined && `, up to ${formatCredits(data.credits_max)} credits in all`}.
      </p>
      <CheckField label="Include lookups in doubt" isChecked={includesInDoubt} onCheck={setIncludesInDoubt} />
      <p class="hint">
        Their call ended before a response. The source may already have charged it, and may charge again.
      </p>
    </Confirm>
  );
}

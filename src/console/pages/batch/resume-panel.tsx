import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';
import { CapField } from '../new-batch/cost/cap-field.tsx';
import { parseBudget, parseCap } from '../new-batch/cost/cost.ts';

type Batch = Body<'Batch'>;

/** Dialog that resumes a batch, optionally with another budget. Removes a row limit that was reached. */
export function ResumePanel({
  batch,
  onChanged,
  onClose,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
  readonly onClose: () => void;
}) {
  const { id, max_credits: before, max_spend: capBefore, credits, lookups, limit_reached: isReached } = batch;
  const [budget, setBudget] = useState(before === null ? '' : String(before));
  const newBudget = parseBudget(budget);
  const [cap, setCap] = useState(capBefore ?? '');
  const newCap = parseCap(cap);
  const resuming = useAction(async () => {
    const body = {
      ...(newBudget === undefined || newBudget === before ? {} : { max_credits: newBudget }),
      ...(newCap === undefined || newCap === capBefore ? {} : { max_spend: newCap }),
    };
    onChanged(await read(api.POST('/v1/batches/{id}/resume', { params: { path: { id } }, body })));
  });
  return (
    <Confirm
      title="Resume this batch?"
      confirm="Resume batch"
      isRunning={resuming.isRunning || newBudget === undefined || newCap === undefined}
      error={resuming.error}
      onConfirm={resuming.run}
      onClose={onClose}
    >
      <p>
        {isReached ? 'The batch continues with all rows: ' : ''}
        {formatCounted(lookups.open, 'open lookup')}. Charged so far: {formatCredits(credits.charged)}{' '}
        credits. Maximum in total: {formatCredits(credits.ceiling)} credits.
      </p>
      <Field
        label="Budget in credits"
        hint="Includes the credits charged so far. Leave empty for no limit."
        error={newBudget === undefined ? 'Enter an amount such as 25 or 2.5.' : undefined}
      >
        <input
          inputMode="decimal"
          size={12}
          value={budget}
          onInput={({ currentTarget }) => setBudget(currentTarget.value)}
        />
      </Field>
      <CapField value={cap} onChange={setCap} />
    </Confirm>
  );
}

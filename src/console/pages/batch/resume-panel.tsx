import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { Confirm } from '../../components/dialog.tsx';
import { Field } from '../../components/forms/field.tsx';
import { formatCounted, formatCredits } from '../../components/values.tsx';
import { parseBudget } from '../new-batch/cost.ts';

type Batch = Body<'Batch'>;

/** Lets a list go on, with another budget if wanted; a limit of rows that is reached is lifted. */
export function GoOn({
  batch,
  onChanged,
  onClose,
}: {
  readonly batch: Batch;
  readonly onChanged: (batch: Batch) => void;
  readonly onClose: () => void;
}) {
  const { id, max_credits: before, credits, lookups, limit_reached: isReached } = batch;
  const [budget, setBudget] = useState(before === null ? '' : String(before));
  const wanted = parseBudget(budget);
  const going = useAction(async () => {
    const body = wanted === undefined || wanted === before ? {} : { max_credits: wanted };
    onChanged(await read(api.POST('/v1/batches/{id}/resume', { params: { path: { id } }, body })));
  });
  return (
    <Confirm
      title="Go on with this list?"
      confirm="Go on"
      isRunning={going.isRunning || wanted === undefined}
      failure={going.failure}
      onConfirm={going.run}
      onClose={onClose}
    >
      <p>
        {isReached ? 'All rows are looked up now: ' : ''}
        {formatCounted(lookups.open, 'lookup')} to go. It cost {formatCredits(credits.charged)} credits so
        far, and can cost {formatCredits(credits.ceiling)} in all if everything is found.
      </p>
      <Field
        label="Budget for all of it, in credits"
        hint="What it cost so far counts. Empty: none."
        error={wanted === undefined ? 'Write an amount such as 25 or 2.5.' : undefined}
      >
        <input
          inputMode="decimal"
          size={12}
          value={budget}
          onInput={({ currentTarget }) => setBudget(currentTarget.value)}
        />
      </Field>
    </Confirm>
  );
}

import type { Body } from '../../api/client.ts';
import { Notice } from '../../components/banner.tsx';
import { formatCredits, Moment } from '../../components/values.tsx';
import { costOf, parseBudget } from './cost.ts';
import type { Draft } from './draft.ts';
import { reuseDays } from './submit.ts';

/** Asks before a file that was handed in before is charged again: its batch, all of it once more, or what is older alone. */
export function SameFile({
  draft,
  check,
  earlier,
  isReady,
  onStart,
}: {
  readonly draft: Draft;
  readonly check: Body<'Check'>;
  readonly earlier: NonNullable<Body<'Check'>['earlier']>;
  readonly isReady: boolean;
  /** True when answers of the last days count. */
  readonly onStart: (reuses: boolean) => void;
}) {
  const { atMost } = costOf(check, draft.isProbe, parseBudget(draft.budget) ?? null);
  return (
    <Notice kind="warning" title="You ran this file before">
      <p>
        The same rows, looked up in the same way, are the batch{' '}
        <a href={`/batches/${earlier.batch}`}>{earlier.file_name}</a> of <Moment at={earlier.at} />, which
        cost {formatCredits(earlier.charged)} credits.
      </p>
      <div class="actions">
        <a class="button primary" href={`/batches/${earlier.batch}`}>
          Open it
        </a>
        <button type="button" disabled={!isReady} onClick={() => onStart(false)}>
          Run again for up to {formatCredits(atMost)} credits
        </button>
        {check.operations.includes('ads_search') && (
          <button type="button" disabled={!isReady} onClick={() => onStart(true)}>
            Only what is older than {reuseDays} days
          </button>
        )}
      </div>
      {check.operations.includes('ads_search') && (
        <p class="quiet">
          Answers of the last {reuseDays} days come from what you have, free.
          {check.operations.includes('email_validation') ? ' Addresses are checked again.' : ''}
        </p>
      )}
    </Notice>
  );
}

import type { Body } from '../../api/client.ts';
import { Banner } from '../../components/banner.tsx';
import { formatCredits, Moment } from '../../components/values.tsx';
import { costOf, parseBudget } from './cost/cost.ts';
import type { Draft } from './draft.ts';
import { reuseDays } from './submit.ts';

/** Banner for a file that already ran, before it is charged again: open its batch, run again, or refresh old results. */
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
  /** Starts the batch; `reuses`: results of the last days are reused. */
  readonly onStart: (reuses: boolean) => void;
}) {
  const { atMost } = costOf(check, draft.isTrial, parseBudget(draft.budget) ?? null);
  return (
    <Banner kind="warning" title="You already ran this file">
      <p>
        <a href={`/batches/${earlier.batch}`}>{earlier.file_name}</a> has the same rows and options. It was
        created <Moment at={earlier.at} /> and cost {formatCredits(earlier.charged)} credits.
      </p>
      <div class="actions">
        <a class="button primary" href={`/batches/${earlier.batch}`}>
          Open batch
        </a>
        <button type="button" disabled={!isReady} onClick={() => onStart(false)}>
          Run again for up to {formatCredits(atMost)} credits
        </button>
        {check.operations.includes('ads_search') && (
          <button type="button" disabled={!isReady} onClick={() => onStart(true)}>
            Refresh results older than {reuseDays} days
          </button>
        )}
      </div>
      {check.operations.includes('ads_search') && (
        <p class="quiet">
          A refresh reuses results of the last {reuseDays} days for free.
          {check.operations.includes('email_validation') ? ' It validates all e-mail addresses again.' : ''}
        </p>
      )}
    </Banner>
  );
}

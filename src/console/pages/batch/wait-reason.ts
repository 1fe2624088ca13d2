import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount, formatCounted, formatCredits } from '../../components/format.ts';

type Batch = components['schemas']['Batch'];

/** Reason why a batch waits, and its remedy. */
export interface WaitReason {
  readonly kind: 'info' | 'good' | 'warning';
  readonly title: string;
  readonly message: string;
  /** Time of the next automatic retry. */
  readonly until: string | null;
}

/** Explains the state of a batch; null if it needs no explanation. */
export function waitReason(batch: Batch): WaitReason | null {
  switch (batch.state) {
    case 'running':
      return throttleReason(batch);
    case 'loading':
      return plain('info', 'The file is loading', 'The batch starts once all rows are stored.');
    case 'paused':
      return pausedReason(batch);
    case 'waiting_for_credits':
      return creditsReason(batch);
    case 'waiting_for_source':
      return sourceReason(batch);
    case 'cancelled':
      return plain(
        'info',
        'This batch was cancelled',
        'All results until then are kept. To look up the rest, upload the file again.',
      );
    case 'finished':
      return failedReason(batch);
  }
}

function plain(kind: WaitReason['kind'], title: string, message: string): WaitReason {
  return { kind, title, message, until: null };
}

function pausedReason({ limit, limit_reached: isReached, lookups }: Batch): WaitReason {
  if (isReached && limit !== null) {
    return plain(
      'good',
      `The first ${formatCount(limit)} rows are done`,
      `Review the results, then resume the batch for the rest: ${formatCounted(lookups.open, 'lookup')}.`,
    );
  }
  return plain(
    'info',
    'This batch is paused',
    'No lookups run and no credits are reserved until you resume it.',
  );
}

function creditsReason({ max_credits: budget, reason }: Batch): WaitReason {
  if (budget !== null && reason?.includes('budget') === true) {
    return plain(
      'warning',
      'The budget is used up',
      `This batch may cost ${formatCredits(budget)} credits. Resume it with a larger budget, or keep the results so far.`,
    );
  }
  return plain(
    'warning',
    'Waiting for credits',
    'The balance is below the price of one result. The batch resumes automatically once you have more credits.',
  );
}

/** The work continues; only its calls are delayed. */
function throttleReason({ wait }: Batch): WaitReason | null {
  if (wait === null) return null;
  const source = wait.source ?? 'the source';
  const details = wait.reason === null ? '' : ` Details: ${wait.reason}.`;
  return {
    kind: 'info',
    title: `Calls to ${source} wait: ${wait.label ?? 'throttled'}`,
    message: `Nightshift continues automatically. Nothing is lost or charged.${details}`,
    until: wait.until,
  };
}

/** Titles of waits that need an operator. */
const operatorTitles: Readonly<Partial<Record<NonNullable<Batch['wait_kind']>, string>>> = {
  refused: 'The source rejects the API key',
  unpaid: 'The source requires a payment',
  declined: 'The source rejects the requests',
};

function sourceReason({ wait_kind: kind, wait_until: until, reason, wait }: Batch): WaitReason {
  const label = wait?.label ?? null;
  const details = `${label === null ? '' : ` Cause: ${label}.`}${reason === null ? '' : ` Details: ${reason}.`}`;
  const operatorTitle = kind === null ? undefined : operatorTitles[kind];
  if (operatorTitle !== undefined) {
    return {
      kind: 'warning',
      title: operatorTitle,
      message: `An operator must fix this. Then resume the batch.${details}`,
      until,
    };
  }
  if (wait?.cause === 'batch_spend') {
    return {
      kind: 'warning',
      title: 'The cap on the cost of calls is reached',
      message: `Resume the batch with a larger cap, or keep the results so far. Cause: ${label}.`,
      until: null,
    };
  }
  if (kind === 'budget') {
    return {
      kind: 'info',
      title: 'The daily limit of the source is reached',
      message: `The batch resumes automatically when the limit resets.${details}`,
      until,
    };
  }
  return {
    kind: 'info',
    title: kind === 'blocked' ? 'The source is rate limiting requests' : 'The source does not respond',
    message: `Nightshift retries automatically. Nothing is lost or charged.${details}`,
    until,
  };
}

function failedReason({ lookups }: Batch): WaitReason | null {
  if (lookups.failed === 0) return null;
  return plain(
    'warning',
    `${formatCounted(lookups.failed, 'lookup')} failed`,
    'Failed lookups are free. Retry them, or see the reasons in the results.',
  );
}

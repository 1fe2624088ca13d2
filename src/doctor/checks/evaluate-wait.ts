import type { SourceWait } from '../../../db/info/source-info.ts';
import { waitText, type WaitCause } from '../../core/work/wait-cause.ts';
import { warning, type Finding } from './check-result.ts';

const remedies: Readonly<Record<WaitCause, string>> = {
  rate_limit: 'Calls continue by themselves. A lower rate in the settings of the source avoids the limit.',
  pace: 'Raise the rate in the settings of the source, if its plan allows more.',
  circuit_breaker:
    'Calls continue by themselves once the source answers. Check its status page and your network.',
  day_calls:
    'Batches continue on the next day (UTC). Raise the cap in the settings of the source to continue at once.',
  day_spend:
    'Batches continue on the next day (UTC). Raise the cap in the settings of the source to continue at once.',
  account_day_calls:
    'Batches of the account continue on the next day (UTC). Raise its cap to continue at once: `nightshift accounts limits NAME --source-calls-per-day SOURCE=NUMBER`.',
  batch_spend: 'Resume the batch with a larger cap: `nightshift resume BATCH --max-spend AMOUNT`.',
  account_limit: 'Add funds or searches at the source, then run `nightshift resume BATCH`.',
  credential: 'Correct the credentials of the source, then run `nightshift resume BATCH`.',
  rejections: 'Follow the message, then run `nightshift resume BATCH`.',
  block: 'Calls continue by themselves. A lower rate in the settings of the source makes blocks rarer.',
  credits: 'Grant credits: `nightshift credits grant AMOUNT`.',
  archive:
    'Make the archive reachable: calls continue by themselves. Or stop archiving: `nightshift backup off`.',
};

/** Reports why calls to a source wait at present. */
export function evaluateWait({ wait, batches }: SourceWait, now: Date): Finding {
  const title = wait.source === null ? 'waiting batches' : `calls to ${wait.source}`;
  const kept = batches === null ? '' : ` (batches: ${batches})`;
  const remedy = wait.cause === null ? 'Run `nightshift status BATCH` for the reason.' : remedies[wait.cause];
  return warning(title, `${waitText(wait, now)}${kept}`, remedy);
}

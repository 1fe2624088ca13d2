import type { BatchBounds, BatchSummary } from '../core/batch/batch.ts';
import { creditsNumber, formatCredits } from '../core/credits/credits.ts';
import { exitCodes } from './exit-codes.ts';

/** A batch as `--json` prints it. Credits are numbers of credits. */
export function batchJson(batch: BatchSummary) {
  const { total, found, none, no_match, failed, cancelled, open } = batch.lookups;
  return {
    batch: batch.publicId,
    state: batch.state,
    ...(batch.stateReason === null ? {} : { reason: batch.stateReason }),
    rows: { total: batch.rows.total, rejected: batch.rows.rejected },
    lookups: { total, found, none, no_match, failed, cancelled, open },
    credits: { charged: creditsNumber(batch.chargedMicro), ceiling: creditsNumber(batch.ceilingMicro) },
    ...boundsJson(batch.bounds),
  };
}

function boundsJson({ limitRows, maxCreditsMicro }: BatchBounds) {
  return {
    ...(limitRows === null ? {} : { limit: limitRows }),
    ...(maxCreditsMicro === null ? {} : { max_credits: creditsNumber(maxCreditsMicro) }),
  };
}

/** A batch in a few lines for people. */
export function batchText(batch: BatchSummary): string {
  const { total, found, none, no_match: noMatch, failed, cancelled, open } = batch.lookups;
  const counts = [
    `${found} found`,
    `${none} without ads`,
    `${noMatch} not identified`,
    `${failed} failed`,
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ];
  return [
    `Batch      ${batch.publicId}  (${batch.fileName})`,
    `State      ${batch.state}${batch.stateReason === null ? '' : `: ${batch.stateReason}`}`,
    `Rows       ${batch.rows.total}, of which ${batch.rows.rejected} rejected`,
    `Companies  ${total}: ${counts.join(', ')}`,
    `Credits    ${formatCredits(batch.chargedMicro)} charged (at most ${formatCredits(ceilingOf(batch))})`,
    ...(batch.sources.includes('sample')
      ? ['Note       the source sample is generated data, not real ads']
      : []),
  ].join('\n');
}

/** What it can cost at most: every company has ads, or its budget is used up. */
function ceilingOf({ ceilingMicro, bounds: { maxCreditsMicro } }: BatchSummary): bigint {
  return maxCreditsMicro !== null && maxCreditsMicro < ceilingMicro ? maxCreditsMicro : ceilingMicro;
}

/** The exit code that a batch in its present state gives a command that waited for it. */
export function exitCodeOfBatch(batch: BatchSummary): number {
  if (batch.state === 'waiting_for_credits') return exitCodes.outOfCredits;
  if (batch.state === 'waiting_for_source') return exitCodes.keyRefused;
  if (batch.state === 'cancelled' || (batch.state === 'paused' && !batch.isLimitReached))
    return exitCodes.interrupted;
  return batch.lookups.failed > 0 ? exitCodes.someFailed : exitCodes.done;
}

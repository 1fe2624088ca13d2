import type { BatchSummary } from '../../../core/batches/batch.ts';
import { describeOrigin } from '../../../core/batches/batch-origin.ts';
import type { Operation } from '../../../core/credits/price-book.ts';
import { visibleText } from '../../../core/reports/visible-text.ts';
import { waitText } from '../../../core/work/wait-cause.ts';
import { amountText } from '../../terminal/credits-text.ts';
import { exitCodeOfPause, exitCodes } from '../../context/exit-codes.ts';

/** Formats a batch in a few lines for people. */
export function batchText(batch: BatchSummary): string {
  const { total, found, none, no_match: noMatch, failed, cancelled, open } = batch.lookups;
  const { valid, invalid, catch_all: catchAll, unknown, ...emails } = batch.emails;
  const unfinished = [
    `${shown(failed)} failed`,
    ...(cancelled > 0 ? [`${shown(cancelled)} cancelled`] : []),
    ...(open > 0 ? [`${shown(open)} open`] : []),
  ];
  const companies = [
    `${shown(found)} found`,
    `${shown(none)} without ads`,
    `${shown(noMatch)} not identified`,
  ];
  const addresses = [
    `${shown(valid)} valid`,
    `${shown(invalid)} invalid`,
    `${shown(catchAll)} catch-all`,
    `${shown(unknown)} unknown`,
  ];
  const has = (operation: Operation) => batch.operations.includes(operation);
  return [
    `Batch      ${batch.publicId}  (${visibleText(batchFileText(batch))})`,
    ...labelLines(batch),
    `State      ${batch.state}${batch.stateReason === null ? '' : `: ${batch.stateReason}`}`,
    ...waitLines(batch),
    `Rows       ${shown(batch.rows.total)}, of which ${shown(batch.rows.rejected)} rejected`,
    ...countLines(
      [
        ...(has('ads_search') ? [`Companies  ${shown(total - emails.total)}: ${companies.join(', ')}`] : []),
        ...(has('email_validation') ? [`Addresses  ${shown(emails.total)}: ${addresses.join(', ')}`] : []),
      ],
      unfinished.join(', '),
    ),
    ...(batch.adsTruncated === 0
      ? []
      : [
          `Truncated  ${shown(batch.adsTruncated)} ${batch.adsTruncated === 1 ? 'company has' : 'companies have'} more ads than requested: see ads_truncated and the estimates`,
        ]),
    `Credits    ${amountText(batch.chargedMicro)} charged (at most ${amountText(ceilingOf(batch))})`,
    ...(batch.purgedAt === null
      ? []
      : [`Purged     ${batch.purgedAt.toISOString().slice(0, 10)}: its rows and results are deleted`]),
    ...(batch.sources.includes('sample')
      ? ['Note       the source sample is generated data, not real ads']
      : []),
  ].join('\n');
}

/** Lines for the labels that say more than the name of the file. */
function labelLines({ name, fileName, origin, tags, archivedAt }: BatchSummary): readonly string[] {
  return [
    ...(name === fileName ? [] : [`Name       ${visibleText(name)}`]),
    ...(origin === null || origin.kind === 'cli'
      ? []
      : [`Origin     ${visibleText(describeOrigin(origin))}`]),
    ...(tags.length === 0 ? [] : [`Tags       ${visibleText(tags.join(', '))}`]),
    ...(archivedAt === null ? [] : [`Archived   ${archivedAt.toISOString().slice(0, 10)}`]),
  ];
}

/** Names the cause of a wait for a source. The state has the reason of a batch that waits. */
function waitLines({ wait, stateReason }: BatchSummary): readonly string[] {
  if (wait === null || wait.cause === 'credits') return [];
  const text = waitText(stateReason === null ? wait : { ...wait, reason: null }, new Date());
  return [`Source     ${wait.source === null ? '' : `${wait.source}: `}${text}`];
}

/** Returns the name of a batch for a list: the one that a person gave it, else that of its file, with the sheet that was read. */
export function batchNameText(batch: BatchSummary): string {
  return batch.name === batch.fileName ? batchFileText(batch) : batch.name;
}

/** Returns the name of the file of a batch, with the sheet that was read. */
function batchFileText({ fileName, sheet }: Pick<BatchSummary, 'fileName' | 'sheet'>): string {
  return sheet === null ? fileName : `${fileName}, sheet "${sheet}"`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Adds the lookups without a result, once for both operations. */
function countLines(lines: readonly string[], unfinished: string): readonly string[] {
  return lines.length === 1 ? [`${lines[0] ?? ''}, ${unfinished}`] : [...lines, `Both       ${unfinished}`];
}

/** Returns the noun for the lookups of a batch. */
export function subjectsOf({ operations }: BatchSummary): string {
  if (operations.length > 1) return 'companies and addresses';
  return operations[0] === 'email_validation' ? 'addresses' : 'companies';
}

/** Returns the maximum cost: every lookup has a result, or the budget is used up. */
function ceilingOf({ ceilingMicro, bounds: { maxCreditsMicro } }: BatchSummary): bigint {
  return maxCreditsMicro !== null && maxCreditsMicro < ceilingMicro ? maxCreditsMicro : ceilingMicro;
}

/** Returns the exit code of a command that waited for a batch in its current state. */
export function exitCodeOfBatch(batch: BatchSummary): number {
  if (batch.state === 'waiting_for_credits') return exitCodes.outOfCredits;
  if (batch.state === 'waiting_for_source') return exitCodeOfPause[batch.waitKind ?? 'refused'];
  if (batch.state === 'cancelled' || (batch.state === 'paused' && !batch.isLimitReached))
    return exitCodes.interrupted;
  return batch.lookups.failed > 0 ? exitCodes.someFailed : exitCodes.done;
}

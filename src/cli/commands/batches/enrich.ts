import { basename } from 'node:path';
import { isFinal, type BatchSummary } from '../../../core/batches/batch.ts';
import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText, exitCodeOfBatch } from './batch-view.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { rejectLineCount } from '../../../reporter/formats/xlsx-limits.ts';
import { showDrain } from '../../process/drain.ts';
import { exportFile, formatOf, rejectTarget, type ExportFileOptions } from './export-file.ts';
import { followBatch } from './follow-batch.ts';
import { Interrupted } from '../../process/interrupted.ts';
import { loadFile, type LoadFileOptions } from './load-file.ts';
import { runWorkers } from '../../process/run-workers.ts';

/** Options of `enrich`. */
export interface EnrichOptions extends LoadFileOptions, ExportFileOptions {
  readonly output?: string;
}

/** Loads a file, runs its lookups and exports the results. Ctrl-C keeps completed work; the same command continues it. */
export const enrich: Command<[string], EnrichOptions> = async (context, options, file) => {
  const target = options.output ?? defaultOutput(file);
  await rejectTarget(context, target, options);
  const batch = await enrichFile(context, file, { ...options, reject: rejectionOf(target, options) });
  if (batch === null) return exitCodes.interrupted;
  const isWorthWriting = isFinal(batch.state) || batch.isLimitReached;
  if (isWorthWriting) await writeResult(context, batch, target, options);
  const written = isWorthWriting ? target : null;
  if (target !== '-' || (context.output.isJson && written === null))
    context.output.result({ ...toBatchBody(batch), output: written }, () =>
      resultText(context, batch, written),
    );
  // stdout is for the report: a summary would be parsed as part of it.
  else if (written === null) context.output.note(resultText(context, batch, written));
  return exitCodeOfBatch(batch);
};

async function writeResult(
  context: CommandContext,
  batch: BatchSummary,
  target: string,
  options: ExportFileOptions,
): Promise<void> {
  try {
    await exportFile(context, batch, target, options);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new Interrupted(
      `Stopped while writing ${target === '-' ? 'the results' : target}. All lookups are complete. To write the results at no charge, run ` +
        `the same command again, or:\n  nightshift export ${batch.publicId} -o ${target}`,
      { cause: error },
    );
  }
}

/** Rejects an export that would not fit its format, before any lookup runs. */
function rejectionOf(target: string, options: ExportFileOptions): (batch: BatchSummary) => void {
  const isWorkbook = formatOf(target, options) === 'xlsx';
  return ({ rows }) => (isWorkbook ? rejectLineCount(rows.total) : undefined);
}

/**
 * Loads a file and runs its lookups until the batch is finished or waits. Null when the user stopped it.
 *
 * @throws the error of `reject` for the loaded batch, before anything is looked up.
 */
export async function enrichFile(
  context: CommandContext,
  file: string,
  options: EnrichOptions & { readonly reject?: (batch: BatchSummary) => void },
): Promise<BatchSummary | null> {
  const app = await context.app();
  const { accountId, batchId, publicId } = await loadFile(context, file, options);
  options.reject?.(await app.batches.store.readSummary(accountId, publicId));
  await app.batches.store.wake(batchId);
  const running = await runWorkers(app);
  try {
    return await followBatch(context, { accountId, publicId });
  } catch (error) {
    if (!context.signal.aborted) throw error;
    context.output.note(
      `${context.output.isInteractive ? '' : '\n'}Stopped. Nothing is lost: ${publicId} keeps its completed work. To continue, run the same command again. Its state:\n` +
        `  nightshift status ${publicId}\n` +
        `A running \`nightshift up\` or \`nightshift work\` continues it. To stop it there too:\n  nightshift pause ${publicId}\n` +
        `Calls in flight finish first, within ${app.config.graceMs / 1000} s. Press Ctrl-C again to exit at once.`,
    );
    return null;
  } finally {
    await (context.signal.aborted ? showDrain(context, app, () => running.close()) : running.close());
  }
}

/** `lists/companies.csv` → `companies-enriched.csv`, in the current folder. */
function defaultOutput(file: string): string {
  if (file === '-') return '-';
  return `${basename(file)
    .replace(/\.gz$/i, '')
    .replace(/\.[a-z]{1,7}$/i, '')}-enriched.csv`;
}

function resultText({ output }: CommandContext, batch: BatchSummary, written: string | null): string {
  return [batchText(batch), output.commands(nextSteps(batch, written).join('\n'))].join('\n');
}

function nextSteps(batch: BatchSummary, written: string | null): readonly string[] {
  if (batch.isLimitReached) {
    return [
      `Output     ${written ?? ''}`,
      'Rows beyond the limit are exported as open.',
      'To look them up, run the same command without --limit.',
    ];
  }
  if (written !== null) return [`Output     ${written}`];
  if (batch.state === 'waiting_for_credits') return creditSteps;
  if (batch.state === 'paused')
    return [`To continue, run \`nightshift resume ${batch.publicId}\`, then the same command again.`];
  if (batch.waitKind === 'budget')
    return [
      'To continue, run the same command again on another day (UTC), or raise the budget first (--max-spend, or the setting of the source).',
    ];
  return ['To continue, fix the cause, then run the same command again.'];
}

const creditSteps = [
  'To continue, add credits or raise --max-credits, then run the same command again:',
  '  nightshift credits grant 100 --reason "more companies"',
];

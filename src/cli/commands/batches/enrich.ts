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
import { loadList, type LoadListOptions } from './load-file.ts';
import { runWorkers } from '../../process/run-workers.ts';

export interface EnrichOptions extends LoadListOptions, ExportFileOptions {
  readonly output?: string;
}

/** Load, work and export in one go. Ctrl-C keeps the work; the same command goes on with it. */
export const enrich: Command<[string], EnrichOptions> = async (context, options, file) => {
  const target = options.output ?? defaultOutput(file);
  await rejectTarget(context, target, options);
  const batch = await enrichFile(context, file, { ...options, reject: refusalOf(target, options) });
  if (batch === null) return exitCodes.interrupted;
  const isWorthWriting = isFinal(batch.state) || batch.isLimitReached;
  if (isWorthWriting) await writeResult(context, batch, target, options);
  const written = isWorthWriting ? target : null;
  if (target !== '-' || (context.output.isJson && written === null))
    context.output.result({ ...toBatchBody(batch), output: written }, () =>
      resultText(context, batch, written),
    );
  // stdout was to be the report; a summary in its place would be read as one.
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
      `Stopped while ${target === '-' ? 'the result' : target} was being written. The lookups are done; the same command, or this one, ` +
        `writes it again at no charge:\n  nightshift export ${batch.publicId} -o ${target}`,
      { cause: error },
    );
  }
}

/** An export that would not fit is refused before a night's work is done for it. */
function refusalOf(target: string, options: ExportFileOptions): (batch: BatchSummary) => void {
  const isWorkbook = formatOf(target, options) === 'xlsx';
  return ({ rows }) => (isWorkbook ? rejectLineCount(rows.total) : undefined);
}

/**
 * Loads and works until the batch is finished or waits; null when the person stopped it.
 *
 * @throws what `refuse` throws of the loaded batch, before anything is looked up.
 */
export async function enrichFile(
  context: CommandContext,
  file: string,
  options: EnrichOptions & { readonly reject?: (batch: BatchSummary) => void },
): Promise<BatchSummary | null> {
  const app = await context.app();
  const { batchId, publicId } = await loadList(context, file, options);
  options.reject?.(await app.batches.store.readSummary(app.accounts.defaultId, publicId));
  await app.batches.store.wake(batchId);
  const running = await runWorkers(app);
  try {
    return await followBatch(context, publicId);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    context.output.note(
      `${context.output.isInteractive ? '' : '\n'}Stopped. Nothing is lost: ${publicId} keeps what is done. Go on with the same command, or see it with:\n` +
        `  nightshift status ${publicId}\n` +
        `Calls under way finish first, within ${app.config.graceMs / 1000} s; Ctrl-C again ends at once.`,
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
    .replace(/\.[a-z]{1,4}$/i, '')}-enriched.csv`;
}

function resultText({ output }: CommandContext, batch: BatchSummary, written: string | null): string {
  return [output.wrapped(batchText(batch)), ...nextSteps(batch, written)].join('\n');
}

function nextSteps(batch: BatchSummary, written: string | null): readonly string[] {
  if (batch.isLimitReached) {
    return [
      `Output     ${written ?? ''}`,
      'The rows behind the limit are in it as open. The same command without --limit goes on with them.',
    ];
  }
  if (written !== null) return [`Output     ${written}`];
  if (batch.state === 'waiting_for_credits') return creditSteps;
  if (batch.state === 'paused')
    return [`Let it go on with \`nightshift resume ${batch.publicId}\`, then repeat the command.`];
  if (batch.waitKind === 'budget')
    return ['It goes on when you repeat the command on another day (UTC), or with a larger budget.'];
  return ['It goes on when you repeat the command once that is mended.'];
}

const creditSteps = [
  'It goes on where it stopped when you repeat the command with more credits:',
  '  nightshift credits grant 100 --reason "more companies"      or a larger --max-credits',
];

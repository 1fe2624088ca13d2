import {
  type Retried,
  type RetryChoice,
  type RetryPart,
  cancelBatch,
  pauseBatch,
  type ControlOptions,
} from '../../../core/batches/batch-control.ts';
import { parseRowRanges } from '../../../core/rows/parse-row-ranges.ts';
import { counted } from '../../../core/events/messages/text.ts';
import type { BatchSummary } from '../../../core/batches/batch.ts';
import { sleep } from '../../../core/async/wait.ts';
import { ValidationError } from '../../../core/errors.ts';
import { toBatchBody, toRetriedBody } from '../../../api/v1/batches/batch-body.ts';
import type { AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch, type BatchOfAccount } from '../../context/choose-batch.ts';
import { batchText } from './batch-view.ts';
import { parseBounds, type BoundsOptions } from './bounds-options.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { creditsText } from '../../terminal/credits-text.ts';

/** Pauses a batch. When it returns, no call of the batch is in flight and none starts. */
export const pause: Command<[string], AccountOptions> = async (context, options, name) => {
  const batch = await chooseBatch(context, options, name);
  const { publicId } = batch;
  await pauseBatch(await controlOptions(context, publicId, 'paused'), batch);
  return show(
    context,
    batch,
    `Its reserved credits are released. Resume it with: nightshift resume ${publicId}`,
  );
};

/** Cancels a batch permanently. Its results are kept. */
export const cancel: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    batches: { store: batches },
  } = await context.app();
  const batch = await chooseBatch(context, options, name);
  const { accountId, publicId } = batch;
  const before = await batches.readSummary(accountId, publicId);
  if (await cancelBatch(await controlOptions(context, publicId, 'cancelled'), batch)) {
    return show(context, batch, `Its results are kept. Export them with: nightshift export ${publicId}`);
  }
  context.output.result(
    toBatchBody({ ...before, state: 'cancelled' }),
    () => `${publicId} was not fully loaded and is removed. Nothing was looked up.`,
  );
  return exitCodes.done;
};

/** Resumes a paused or waiting batch, within its bounds or the given ones. */
export const resume: Command<[string], AccountOptions & BoundsOptions> = async (context, options, name) => {
  const app = await context.app();
  const {
    batches: { control, store },
  } = app;
  const batch = await chooseBatch(context, options, name);
  const { accountId, publicId } = batch;
  const bounds = parseBounds(options);
  if (bounds.maxSpend !== undefined) {
    const { sources } = await store.readSummary(accountId, publicId);
    await app.sources.checkSpend(bounds.maxSpend, sources, '--max-spend');
  }
  await control.actingAs('cli').resume(accountId, publicId, bounds);
  return show(context, batch, workHint(publicId));
};

/** Options of `retry`. */
export interface RetryOptions extends AccountOptions {
  readonly inDoubt?: boolean;
  readonly mapped?: boolean;
  readonly unidentified?: boolean;
  readonly rows?: string;
  readonly dryRun?: boolean;
}

/** Retries the failed lookups of a finished batch, or those of companies that are mapped now; of all rows, or of some. */
export const retry: Command<[string], RetryOptions> = async (context, options, name) => {
  const choice = retryChoice(options);
  const { rows, unidentified = false, dryRun: isDryRun = false } = options;
  const part = {
    isDryRun,
    unidentified,
    ...(rows === undefined ? {} : { rows: parseRowRanges(rows, '--rows') }),
  };
  const named = await chooseBatch(context, options, name);
  const { batch, ...counts } = await startRetry(context, named, choice, {
    ...part,
    ...(choice === 'mapped' ? { advertisers: await listSearched(context, named) } : {}),
  });
  context.output.result(toRetriedBody(batch, counts), () =>
    [
      isDryRun ? dryRunText(counts) : retriedText(counts.retried, choice, unidentified),
      ...(counts.inDoubtLeft === 0 || choice === 'mapped' ? [] : [inDoubtText(counts.inDoubtLeft)]),
      ...(counts.retried === 0 || isDryRun ? [] : [context.output.commands(workHint(named.publicId))]),
    ].join('\n'),
  );
  return exitCodes.done;
};

/** Parses stored responses of a finished batch again that could not be parsed. Calls no source. */
export const reparse: Command<[string], AccountOptions> = async (context, options, name) => {
  const named = await chooseBatch(context, options, name);
  const { publicId } = named;
  const { batch, ...counts } = await startRetry(context, named, 'reparse');
  context.output.result(toRetriedBody(batch, counts), () =>
    counts.retried === 0
      ? `${publicId} has no responses to parse again: no lookup failed as source_unreadable, or their responses are no longer stored.`
      : [
          `Parsing the stored responses of ${counted(counts.retried, 'company', 'companies')} again.`,
          context.output.commands(workHint(publicId)),
        ].join('\n'),
  );
  return exitCodes.done;
};

/** @throws ValidationError for two options of which only one is possible */
function retryChoice({ inDoubt, mapped, unidentified }: RetryOptions): RetryChoice {
  if (mapped !== true) return inDoubt === true ? 'in_doubt' : 'certain';
  if (inDoubt === true)
    throw new ValidationError(
      'Give only one of --in-doubt and --mapped. The first retries failed lookups, the second those of companies that are mapped now.',
    );
  if (unidentified === true)
    throw new ValidationError(
      'Give only one of --unidentified and --mapped. The first includes companies that are not mapped.',
    );
  return 'mapped';
}

function dryRunText({ retried, ceilingMicro }: Retried): string {
  return retried === 0
    ? 'There is nothing to retry.'
    : `A retry looks up ${counted(retried, 'company or address', 'companies and addresses')} again, for at most ${creditsText(ceilingMicro)}. Nothing is retried yet.`;
}

function retriedText(retried: number, choice: RetryChoice, isUnidentified: boolean): string {
  if (choice === 'mapped') return mappedText(retried);
  return isUnidentified
    ? `Retrying ${counted(retried, 'lookup')} that failed or identified no company.`
    : `Retrying ${counted(retried, 'failed lookup')}.`;
}

function mappedText(retried: number): string {
  return retried === 0
    ? 'No company of the batch that was not identified has been mapped since. Map one with: nightshift companies map'
    : `Looking up ${counted(retried, 'mapped company', 'mapped companies')} again.`;
}

async function listSearched(
  { app }: CommandContext,
  { accountId, publicId }: BatchOfAccount,
): Promise<readonly string[]> {
  const { batches, sources } = await app();
  return sources.listSearched(await batches.store.readSummary(accountId, publicId));
}

async function startRetry(
  { app }: CommandContext,
  { accountId, publicId }: BatchOfAccount,
  choice: RetryChoice,
  part: RetryPart = {},
) {
  const {
    batches: { control, store: batches },
  } = await app();
  const counts = await control.actingAs('cli').retry(accountId, publicId, choice, part);
  return { ...counts, batch: await batches.readSummary(accountId, publicId) };
}

async function controlOptions(
  { app, output, signal }: CommandContext,
  publicId: string,
  state: 'paused' | 'cancelled',
): Promise<ControlOptions> {
  const {
    batches: { control },
  } = await app();
  let isPrinted = false;
  const onWaiting = (chunks: number) => {
    if (isPrinted) return;
    isPrinted = true;
    output.note(
      `${publicId} is ${state}; no further call starts. Waiting for the calls in flight in ${counted(chunks, 'chunk')}.`,
    );
  };
  return { control: control.actingAs('cli'), sleep, signal, onWaiting };
}

async function show(
  { app, output }: CommandContext,
  { accountId, publicId }: BatchOfAccount,
  hint: string,
): Promise<number> {
  const {
    batches: { store: batches },
  } = await app();
  const batch: BatchSummary = await batches.readSummary(accountId, publicId);
  output.result(toBatchBody(batch), () => `${batchText(batch)}\n${output.commands(hint)}`);
  return exitCodes.done;
}

function workHint(publicId: string): string {
  return `A running \`nightshift up\` or \`nightshift work\` continues it, and so does \`nightshift enrich\` with the same file. Follow it with: nightshift watch ${publicId}`;
}

function inDoubtText(count: number): string {
  return (
    `${counted(count, 'more was', 'more were')} cut off after the call was sent and may have been charged by the source. ` +
    'Add --in-doubt to retry them as well.'
  );
}

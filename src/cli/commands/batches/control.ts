import {
  type RetryChoice,
  cancelBatch,
  pauseBatch,
  type ControlOptions,
} from '../../../core/batches/batch-control.ts';
import { counted } from '../../../core/events/messages/text.ts';
import type { BatchSummary } from '../../../core/batches/batch.ts';
import { sleep } from '../../../core/async/wait.ts';
import { toBatchBody, toRetriedBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText } from './batch-view.ts';
import { checkSpend } from './load-file.ts';
import { parseBounds, type BoundsOptions } from './bounds-options.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Pauses a batch. When it returns, no call of the batch is in flight and none starts. */
export const pause: Command<[string], object> = async (context, _options, publicId) => {
  const {
    accounts: { defaultId: accountId },
  } = await context.app();
  await pauseBatch(await controlOptions(context, publicId, 'paused'), { accountId, publicId });
  return show(
    context,
    publicId,
    `Its reserved credits are released. Resume it with: nightshift resume ${publicId}`,
  );
};

/** Cancels a batch permanently. Its results are kept. */
export const cancel: Command<[string], object> = async (context, _options, publicId) => {
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
  } = await context.app();
  const before = await batches.readSummary(accountId, publicId);
  const options = await controlOptions(context, publicId, 'cancelled');
  if (await cancelBatch(options, { accountId, publicId })) {
    return show(context, publicId, `Its results are kept. Export them with: nightshift export ${publicId}`);
  }
  context.output.result(
    toBatchBody({ ...before, state: 'cancelled' }),
    () => `${publicId} was not fully loaded and is removed. Nothing was looked up.`,
  );
  return exitCodes.done;
};

/** Resumes a paused or waiting batch, within its bounds or the given ones. */
export const resume: Command<[string], BoundsOptions> = async (context, options, publicId) => {
  const app = await context.app();
  const {
    batches: { control, store },
    accounts: { defaultId: accountId },
  } = app;
  const bounds = parseBounds(options);
  if (bounds.maxSpend !== undefined)
    await checkSpend(app, bounds.maxSpend, (await store.readSummary(accountId, publicId)).sources);
  await control.actingAs('cli').resume(accountId, publicId, bounds);
  return show(context, publicId, workHint(publicId));
};

/** Retries the failed lookups of a finished batch. */
export const retry: Command<[string], { readonly inDoubt?: boolean }> = async (
  context,
  { inDoubt = false },
  publicId,
) => {
  const { batch, retried, inDoubtLeft } = await startRetry(
    context,
    publicId,
    inDoubt ? 'in_doubt' : 'certain',
  );
  context.output.result(toRetriedBody(batch, { retried, inDoubtLeft }), () =>
    [
      `Retrying ${counted(retried, 'failed lookup')}.`,
      ...(inDoubtLeft === 0 ? [] : [inDoubtText(inDoubtLeft)]),
      ...(retried === 0 ? [] : [context.output.commands(workHint(publicId))]),
    ].join('\n'),
  );
  return exitCodes.done;
};

/** Parses stored responses of a finished batch again that could not be parsed. Calls no source. */
export const reparse: Command<[string], object> = async (context, _options, publicId) => {
  const { batch, retried, inDoubtLeft } = await startRetry(context, publicId, 'reparse');
  context.output.result(toRetriedBody(batch, { retried, inDoubtLeft }), () =>
    retried === 0
      ? `${publicId} has no responses to parse again: no lookup failed as source_unreadable, or their responses are no longer stored.`
      : [
          `Parsing the stored responses of ${counted(retried, 'company', 'companies')} again.`,
          context.output.commands(workHint(publicId)),
        ].join('\n'),
  );
  return exitCodes.done;
};

async function startRetry({ app }: CommandContext, publicId: string, choice: RetryChoice) {
  const {
    batches: { control, store: batches },
    accounts: { defaultId: accountId },
  } = await app();
  const counts = await control.actingAs('cli').retry(accountId, publicId, choice);
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

async function show({ app, output }: CommandContext, publicId: string, hint: string): Promise<number> {
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
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

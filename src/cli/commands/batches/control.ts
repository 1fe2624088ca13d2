import {
  type RetryChoice,
  cancelBatch,
  pauseBatch,
  type ControlOptions,
} from '../../../core/batches/batch-control.ts';
import type { BatchSummary } from '../../../core/batches/batch.ts';
import { sleep } from '../../../core/async/wait.ts';
import { toBatchBody, toRetriedBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText } from './batch-view.ts';
import { parseBounds, type BoundsOptions } from './bounds-options.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Stops a batch for now. Once it returns, no call of it is under way and none begins. */
export const pause: Command<[string], object> = async (context, _options, publicId) => {
  const {
    accounts: { defaultId: accountId },
  } = await context.app();
  await pauseBatch(await controlOptions(context, publicId, 'paused'), { accountId, publicId });
  return show(
    context,
    publicId,
    `Nothing is held for it any more. Go on with: nightshift resume ${publicId}`,
  );
};

/** Ends a batch for good; what is done stays. */
export const cancel: Command<[string], object> = async (context, _options, publicId) => {
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
  } = await context.app();
  const before = await batches.readSummary(accountId, publicId);
  const options = await controlOptions(context, publicId, 'cancelled');
  if (await cancelBatch(options, { accountId, publicId })) {
    return show(context, publicId, `What is done stays: nightshift export ${publicId}`);
  }
  context.output.result(
    toBatchBody({ ...before, state: 'cancelled' }),
    () => `${publicId} was never loaded whole, and is removed. Nothing was looked up for it.`,
  );
  return exitCodes.done;
};

/** Lets a paused or waiting batch go on, within the bounds it has or those that are given. */
export const resume: Command<[string], BoundsOptions> = async (context, options, publicId) => {
  const {
    batches: { control },
    accounts: { defaultId: accountId },
  } = await context.app();
  await control.actingAs('cli').resume(accountId, publicId, parseBounds(options));
  return show(context, publicId, workHint(publicId));
};

/** Looks the failed companies of a finished batch up again. */
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
      `${retried} failed companies are looked up again.`,
      ...(inDoubtLeft === 0 ? [] : [inDoubtText(inDoubtLeft)]),
      ...(retried === 0 ? [] : [workHint(publicId)]),
    ].join('\n'),
  );
  return exitCodes.done;
};

/** Reads the kept replies of a finished batch again that could not be read; no source is asked. */
export const reparse: Command<[string], object> = async (context, _options, publicId) => {
  const { batch, retried, inDoubtLeft } = await startRetry(context, publicId, 'kept_replies');
  context.output.result(toRetriedBody(batch, { retried, inDoubtLeft }), () =>
    retried === 0
      ? `No reply of ${publicId} waits to be read again: none failed as source_unreadable, or none of those is kept any more.`
      : [`The kept replies about ${retried} companies are read again.`, workHint(publicId)].join('\n'),
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
      `${publicId} is ${state}; no further call begins. Waiting for the calls under way in ${chunks} chunks to end.`,
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
  output.result(toBatchBody(batch), () => output.wrapped(`${batchText(batch)}\n${hint}`));
  return exitCodes.done;
}

function workHint(publicId: string): string {
  return `Any \`nightshift up\` or \`work\` goes on with it; so does \`enrich\` with the same file. Follow it: nightshift watch ${publicId}`;
}

function inDoubtText(count: number): string {
  return (
    `${count} more were cut off after the call was sent and may have been charged at the source. ` +
    '--in-doubt looks them up again as well.'
  );
}

import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { parseLabelChanges, type BatchLabelChanges } from '../../../core/batches/batch-labels.ts';
import { batchText } from './batch-view.ts';
import type { AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Renames a batch. */
export const rename: Command<[string, string], AccountOptions> = (context, options, batch, name) =>
  label(context, options, batch, { name });

/** Replaces the tags of a batch; without tags removes all. */
export const tag: Command<[string, readonly string[]], AccountOptions> = (context, options, batch, tags) =>
  label(context, options, batch, { tags });

/** Archives a batch, or moves it back to the list. */
export const archive: Command<[string], AccountOptions & { readonly undo?: boolean }> = (
  context,
  options,
  batch,
) => label(context, options, batch, { archived: options.undo !== true });

/** Deletes an ended batch. */
export const deleteBatch: Command<[string], AccountOptions> = async (context, options, batch) => {
  const { app, output } = context;
  const { accountId, publicId } = await chooseBatch(context, options, batch);
  const {
    batches: { store: batches },
  } = await app();
  await batches.delete(accountId, publicId);
  output.result(
    { id: publicId, deleted: true },
    () =>
      `${publicId} is deleted. Housekeeping purges its rows and results a day after its end at the earliest; its charges stay in the ledger.`,
  );
  return exitCodes.done;
};

async function label(
  context: CommandContext,
  options: AccountOptions,
  name: string,
  changes: BatchLabelChanges,
): Promise<number> {
  const { app, output } = context;
  const parsed = parseLabelChanges(changes);
  const { accountId, publicId } = await chooseBatch(context, options, name);
  const {
    batches: { store: batches },
  } = await app();
  const batch = await batches.label(accountId, publicId, parsed);
  output.result(toBatchBody(batch), () => batchText(batch));
  return exitCodes.done;
}

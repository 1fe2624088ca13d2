import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { parseLabelChanges, type BatchLabelChanges } from '../../../core/batches/batch-labels.ts';
import { batchText } from './batch-view.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Renames a batch. */
export const rename: Command<[string, string], object> = (context, _options, publicId, name) =>
  label(context, publicId, { name });

/** Replaces the tags of a batch; without tags removes all. */
export const tag: Command<[string, readonly string[]], object> = (context, _options, publicId, tags) =>
  label(context, publicId, { tags });

/** Archives a batch, or moves it back to the list. */
export const archive: Command<[string], { readonly undo?: boolean }> = (context, { undo }, publicId) =>
  label(context, publicId, { archived: undo !== true });

/** Deletes an ended batch. */
export const deleteBatch: Command<[string], object> = async ({ app, output }, _options, publicId) => {
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
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
  { app, output }: CommandContext,
  publicId: string,
  changes: BatchLabelChanges,
): Promise<number> {
  const parsed = parseLabelChanges(changes);
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
  } = await app();
  const batch = await batches.label(accountId, publicId, parsed);
  output.result(toBatchBody(batch), () => batchText(batch));
  return exitCodes.done;
}

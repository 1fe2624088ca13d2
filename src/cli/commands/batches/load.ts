import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { loadFile, type LoadFileOptions } from './load-file.ts';

/** Loads a file as a batch and prints the batch id; `up` and `work` run its lookups. */
export const load: Command<[string], LoadFileOptions> = async (context, options, file) => {
  const { accountId, publicId, isNew } = await loadFile(context, file, options);
  const { batches } = await context.app();
  const batch = await batches.store.readSummary(accountId, publicId);
  context.output.result({ ...toBatchBody(batch), new: isNew }, () => publicId);
  return exitCodes.done;
};

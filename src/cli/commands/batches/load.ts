import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { loadList, type LoadListOptions } from './load-file.ts';

/** Stores a list as a batch and prints its id; `up` and `work` do the work. */
export const load: Command<[string], LoadListOptions> = async (context, options, file) => {
  const { publicId, isNew } = await loadList(context, file, options);
  const { accounts, batches } = await context.app();
  const batch = await batches.store.readSummary(accounts.defaultId, publicId);
  context.output.result({ ...toBatchBody(batch), new: isNew }, () => publicId);
  return exitCodes.done;
};

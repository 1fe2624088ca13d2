import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { loadList, type LoadListOptions } from './load-file.ts';

/** Stores a list as a batch and prints its id; `up` and `work` do the work. */
export const load: Command<[string], LoadListOptions> = async (context, options, file) => {
  const loaded = await loadList(context, file, options);
  context.output.result({ batch: loaded.publicId, new: loaded.isNew }, () => loaded.publicId);
  return exitCodes.done;
};

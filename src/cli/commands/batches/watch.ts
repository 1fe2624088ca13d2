import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText, exitCodeOfBatch } from './batch-view.ts';
import type { AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command } from '../../context/command-context.ts';
import { followBatch } from './follow-batch.ts';

/** Follows a batch that other processes work on, until it is finished or waits. */
export const watch: Command<[string], AccountOptions> = async (context, options, name) => {
  const batch = await followBatch(context, await chooseBatch(context, options, name));
  context.output.result(toBatchBody(batch), () => batchText(batch));
  return exitCodeOfBatch(batch);
};

import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { parseLabelChanges } from '../../../core/batches/batch-labels.ts';
import { noBounds } from '../../../core/batches/batch.ts';
import { readAge } from '../../../core/time/parse-age.ts';
import type { AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { parseBounds, type BoundsOptions } from './bounds-options.ts';

interface RunAgainFlags extends AccountOptions, BoundsOptions {
  readonly maxAge?: string;
  readonly name?: string;
  readonly tag?: readonly string[];
}

/** Runs the rows of a batch again, as a new batch, and prints its id; `up` and `work` run its lookups. */
export const runAgain: Command<[string], RunAgainFlags> = async (context, options, name) => {
  const bounds = { ...noBounds, ...parseBounds(options) };
  const labels = parseLabelChanges({ name: options.name, tags: options.tag });
  const { accountId, publicId } = await chooseBatch(context, options, name);
  const { batches, sources } = await context.app();
  const created = await withProgress(context.output, 'Loading', async (progress) => {
    const loaded = await batches.runAgain(accountId, publicId, {
      bounds,
      labels,
      ...(options.maxAge === undefined ? {} : { ageMsMax: readAge(options.maxAge, '--max-age') }),
      check: (names, search) =>
        sources.prepareSearch(names, search, { spend: bounds.maxSpend, where: '--max-spend' }),
      by: 'cli',
      signal: context.signal,
      onWait: (reason) => progress.note(`waiting: ${reason}`),
      onProgress: (rows) => progress.show(rows, null, [`${rows.toLocaleString('en')} rows`]),
    });
    progress.finish(loaded.publicId);
    return loaded;
  });
  const batch = await batches.store.readSummary(accountId, created.publicId);
  context.output.result(toBatchBody(batch), () => created.publicId);
  return exitCodes.done;
};

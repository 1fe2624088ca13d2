import { isFinal } from '../../../core/batches/batch.ts';
import { subjectsOf } from './batch-view.ts';
import type { AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { parseCsvForm, type CsvFormOptions } from './csv-form.ts';
import { exportFile, formatOf, rejectTarget, type ExportFileOptions } from './export-file.ts';

/** Writes a batch to a file or to stdout. */
export const exportCommand: Command<
  [string],
  AccountOptions & CsvFormOptions & ExportFileOptions & { readonly output: string }
> = async (context, options, name) => {
  await rejectTarget(context, options.output, options);
  const csv = parseCsvForm(
    options,
    context.output.isJson && options.output === '-' ? 'json' : formatOf(options.output, options),
  );
  const {
    batches: { store: batches },
  } = await context.app();
  const { accountId, publicId } = await chooseBatch(context, options, name);
  const batch = await batches.readSummary(accountId, publicId);
  if (!isFinal(batch.state)) {
    context.output.note(
      `${publicId} is ${batch.state}: ${batch.lookups.open} ${subjectsOf(batch)} are still open and exported as open.`,
    );
  }
  const written = await exportFile(context, batch, options.output, { ...options, csv });
  if (options.output !== '-') {
    context.output.result({ batch: publicId, output: options.output, ...written }, () => options.output);
  }
  return exitCodes.done;
};

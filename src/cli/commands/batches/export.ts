import { isFinal } from '../../../core/batches/batch.ts';
import type { EndedSpan } from '../../../core/batches/batch-report.ts';
import { wholeResult } from '../../../core/batches/result-filter.ts';
import { parseRowRanges, rejectUnknownRows } from '../../../core/rows/parse-row-ranges.ts';
import { ValidationError } from '../../../core/errors.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { readSince } from '../../../core/time/parse-since.ts';
import type { WrittenReport } from '../../../reporter/export/write-report.ts';
import { subjectsOf } from './batch-view.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import type { Output } from '../../terminal/output.ts';
import { csvFormOf, parseCsvForm, type CsvFormOptions } from './csv-form.ts';
import {
  exportEndedFile,
  exportFile,
  formatOf,
  rejectTarget,
  type BatchFileOptions,
  type ExportFileOptions,
} from './export-file.ts';

interface ExportOptions extends AccountOptions, CsvFormOptions, ExportFileOptions {
  readonly output: string;
  readonly since?: string;
  readonly rows?: string;
}

/** Writes a batch to a file or to stdout; with `--since` only the rows that ended since then, by default of all batches. */
export const exportCommand: Command<[string | undefined], ExportOptions> = async (context, options, name) => {
  await rejectTarget(context, options.output, options);
  const csv = parseCsvForm(
    options,
    context.output.isJson && options.output === '-' ? 'json' : formatOf(options.output, options),
  );
  const { rows: ranges, ...others } = options;
  const rows = ranges === undefined ? undefined : parseRowRanges(ranges, '--rows');
  if (rows !== undefined && name === undefined)
    throw new ValidationError('--rows is for one batch. Name it: nightshift export BATCH --rows 1,5,9-20');
  const asked = { ...others, csv, ...(rows === undefined ? {} : { filter: { ...wholeResult, rows } }) };
  if (options.since !== undefined) return exportSince(context, asked, { name, since: options.since });
  if (name === undefined)
    throw new ValidationError(
      'Name a batch, or export what ended in all batches since a moment: nightshift export --since 1d -o FILE',
    );
  return exportWhole(context, asked, name);
};

/** Options with the parsed ones. */
type AskedOptions = Omit<ExportOptions, 'rows'> & Pick<BatchFileOptions, 'filter'>;

async function exportWhole(context: CommandContext, options: AskedOptions, name: string): Promise<number> {
  const batch = await readBatch(context, options, name);
  if (!isFinal(batch.state)) {
    context.output.note(
      `${batch.publicId} is ${batch.state}: ${batch.lookups.open} ${subjectsOf(batch)} are still open and exported as open.`,
    );
  }
  const csv = csvFormOf(options, batch);
  const written = await exportFile(context, batch, options.output, { ...options, csv });
  if (options.output !== '-') {
    context.output.result(
      { batch: batch.publicId, output: options.output, ...written },
      () => options.output,
    );
  }
  return exitCodes.done;
}

/** Reads the batch to export. @throws ValidationError for rows that it does not have */
async function readBatch(context: CommandContext, options: AskedOptions, name: string) {
  const {
    batches: { store },
  } = await context.app();
  const { accountId, publicId } = await chooseBatch(context, options, name);
  const batch = await store.readSummary(accountId, publicId);
  rejectUnknownRows(options.filter?.rows ?? null, batch.rows.total);
  return batch;
}

async function exportSince(
  context: CommandContext,
  options: AskedOptions,
  { name, since: text }: { readonly name: string | undefined; readonly since: string },
): Promise<number> {
  const { output } = options;
  const since = readSince(text, '--since');
  if (output === '-' && context.output.isJson)
    throw new ValidationError(
      'With --json and --since, stdout has the moment to pass next. Name a file for the rows: -o FILE.',
    );
  const {
    batches: { reportStore },
  } = await context.app();
  if (name === undefined) {
    if (options.forExcel === true)
      throw new ValidationError(
        '--for-excel is for one batch, as its file was. For all batches, use --delimiter and --bom.',
      );
    const { accountId } = await chooseAccount(context, options);
    const span = await reportStore.openSpan(since);
    const written = await exportEndedFile(context, { accountId, span }, output, options);
    return printNext(context.output, { batch: null, output, span, written });
  }
  const batch = await readBatch(context, options, name);
  const span = await reportStore.openSpan(since);
  const csv = csvFormOf(options, batch);
  const written = await exportFile(context, batch, output, { ...options, csv, span });
  return printNext(context.output, { batch: batch.publicId, output, span, written });
}

/** Prints the moment to pass next: alone on stdout, so that a script can keep it, unless the rows are there. */
function printNext(
  terminal: Output,
  done: {
    readonly batch: string | null;
    readonly output: string;
    readonly span: EndedSpan;
    readonly written: WrittenReport;
  },
): number {
  const [since, until] = [done.span.since.toISOString(), done.span.until.toISOString()];
  const lines = counted(done.written.lines, 'line', 'lines');
  terminal.note(`${lines}: rows that ended from ${since} to before ${until}. Pass next: --since ${until}`);
  if (done.output !== '-')
    terminal.result({ batch: done.batch, output: done.output, since, until, ...done.written }, () => until);
  return exitCodes.done;
}

import { NotFound, ValidationError } from '../../../core/errors.ts';
import { documentFormatOf, type DocumentFormat } from '../../../reporter/documents/document-format.ts';
import {
  daysMax,
  daysUsual,
  makeBatchReport,
  makeScheduleReport,
  type MadeReport,
} from '../../../reporter/documents/make-report.ts';
import { writeDocument } from '../../../reporter/documents/write-document.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch, isBatchOnly } from '../../context/choose-batch.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { rejectFolder } from './export-file.ts';
import { shareReport } from './report-links.ts';

/** Options of `report`. */
export interface ReportCommandOptions extends AccountOptions {
  readonly output: string;
  readonly format?: DocumentFormat;
  readonly images?: boolean;
  readonly days?: string;
  readonly share?: boolean;
}

/** Writes a report of a batch or of a schedule, for people. */
export const report: Command<[string], ReportCommandOptions> = async (context, options, named) => {
  const { output: target } = options;
  if (options.share === true) {
    rejectFileOptions(options);
    return shareReport(context, options, named);
  }
  const { output, signal } = context;
  const format = options.format ?? (target === '-' ? 'md' : documentFormatOf(target));
  const days = parseDays(options.days);
  if (target !== '-') await rejectFolder(target);
  else if (output.isJson)
    throw new ValidationError('--json and the report both write to stdout. Name a file: -o FILE.');
  const { made, ...subject } = await makeReport(context, { ...options, format, days }, named);
  const written = await writeDocument(made.text, target === '-' ? output.stdout : target, signal);
  if (target !== '-') {
    output.result({ ...subject, output: target, format, ...written, counts: made.counts }, () => target);
  }
  return exitCodes.done;
};

/** @throws ValidationError for options that only a file has. */
function rejectFileOptions({ output, format, images }: ReportCommandOptions): void {
  if (output === '-' && format === undefined && images === undefined) return;
  throw new ValidationError(
    '--share creates a link and writes no file. Leave out --output, --format and --images.',
  );
}

/** A report, and the batch or the schedule that it is about. */
type NamedReport = { readonly made: MadeReport } & (
  { readonly batch: string } | { readonly schedule: string }
);

type ReportWish = Omit<ReportCommandOptions, 'days' | 'format'> & {
  readonly format: DocumentFormat;
  readonly days: number;
};

/** A name that a schedule and a batch share is that of the schedule. */
async function makeReport(context: CommandContext, options: ReportWish, named: string): Promise<NamedReport> {
  if (isBatchOnly(named)) return reportBatch(context, options, named);
  const { reportData, store } = (await context.app()).batches;
  const { accountId } = await chooseAccount(context, options);
  const { format, days, images: withPictures = false } = options;
  try {
    const made = await makeScheduleReport(reportData, named, { accountId, format, withPictures, days });
    return { schedule: named, made };
  } catch (error) {
    if (!(error instanceof NotFound) || (await store.findNamed(accountId, named, 1)).length === 0)
      throw error;
    return reportBatch(context, options, named);
  }
}

async function reportBatch(
  context: CommandContext,
  options: ReportWish,
  named: string,
): Promise<NamedReport> {
  const { reportData } = (await context.app()).batches;
  const { accountId, publicId } = await chooseBatch(context, options, named);
  const { format, images: withPictures = false } = options;
  return {
    batch: publicId,
    made: await makeBatchReport(reportData, publicId, { accountId, format, withPictures }),
  };
}

function parseDays(text: string | undefined): number {
  if (text === undefined) return daysUsual;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new ValidationError(`--days ${text}: must be an integer from 1 to ${daysMax}.`);
}

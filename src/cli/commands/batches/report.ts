import { ValidationError } from '../../../core/errors.ts';
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
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { rejectFolder } from './export-file.ts';

/** Options of `report`. */
export interface ReportCommandOptions extends AccountOptions {
  readonly output: string;
  readonly format?: DocumentFormat;
  readonly images?: boolean;
  readonly days?: string;
}

/** Writes a report of a batch or of a schedule, for people. */
export const report: Command<[string], ReportCommandOptions> = async (context, options, named) => {
  const { output: target } = options;
  const { output, signal } = context;
  const format = options.format ?? (target === '-' ? 'md' : documentFormatOf(target));
  const days = parseDays(options.days);
  if (target !== '-') await rejectFolder(target);
  else if (output.isJson)
    throw new ValidationError('--json and the report both write to stdout. Name a file: -o FILE.');
  const kind = batchId.test(named) ? 'batch' : 'schedule';
  const made = await makeReport(context, { ...options, format, days, kind, named });
  const written = await writeDocument(made.text, target === '-' ? output.stdout : target, signal);
  if (target !== '-') {
    output.result({ [kind]: named, output: target, format, ...written, counts: made.counts }, () => target);
  }
  return exitCodes.done;
};

const batchId = /^bat_[0-9a-f]{32}$/;

async function makeReport(
  context: CommandContext,
  options: Omit<ReportCommandOptions, 'days' | 'format'> & {
    readonly format: DocumentFormat;
    readonly days: number;
    readonly kind: 'batch' | 'schedule';
    readonly named: string;
  },
): Promise<MadeReport> {
  const {
    batches: { reportData },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { format, days, named, images: withPictures = false } = options;
  const wanted = { accountId, format, withPictures };
  return options.kind === 'batch'
    ? makeBatchReport(reportData, named, wanted)
    : makeScheduleReport(reportData, named, { ...wanted, days });
}

function parseDays(text: string | undefined): number {
  if (text === undefined) return daysUsual;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new ValidationError(`--days ${text}: must be an integer from 1 to ${daysMax}.`);
}

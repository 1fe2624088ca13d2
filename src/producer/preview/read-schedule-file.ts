import { Readable } from 'node:stream';
import type { BatchRows, SubmittedBatch } from '../../core/batches/batch-rows.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import type { FileOptions, ScheduleFile } from '../../core/schedules/schedule.ts';
import { checkCompanies, type CompanyCheck } from './check-companies.ts';
import { fileTooLarge } from '../../csv/file-error.ts';
import { openOwnList, recordsOfTable } from '../formats/list-records.ts';
import { defaultFileLimits, readCompanies, type ReadOptions } from '../rows/read-companies.ts';
import { submittedColumns } from '../load/submitted-file.ts';
import { recordsOfBatch } from './batch-records.ts';
import { linesAbove, tableCsv, tableCsvForm } from './table-csv.ts';

/** Size limit of a schedule's file, which is stored in the schedule: about half a million companies. Our choice. */
const scheduleFileBytesMax = 16 * 1024 * 1024;

/** A file for a schedule, with its check. */
export interface CheckedScheduleFile {
  readonly file: ScheduleFile;
  readonly check: CompanyCheck;
  /** Findings about the content that the check, of the stored rows, does not have. */
  readonly notes: readonly string[];
}

/**
 * Reads and checks the file of a schedule, in any format; the rows of another one than CSV are stored as CSV. Its companies are searched; other cells of its rows are ignored.
 *
 * @throws ValidationError when the file cannot be parsed, is too large, or names no company.
 */
export async function readScheduleFile(
  input: Readable,
  { fileName, limits, ...reading }: ReadOptions,
  pricesMicro: Prices,
): Promise<CheckedScheduleFile> {
  const { content, form, notes } = await readWhole(input, { fileName, ...reading });
  const options = { ...storedOptions(reading), ...form };
  return checkFile({ fileName, content, options }, { limits, pricesMicro, notes });
}

/**
 * Converts the rows of a batch to the file of a schedule, with the columns of the batch. A rejected row stays rejected, and a row stays on
 * its line where there is room for a header above the first.
 *
 * @throws ValidationError when no row has a company that can be searched; TooLarge when the rows are too large.
 */
export async function readScheduleOfBatch(
  rows: BatchRows,
  batch: SubmittedBatch,
  { limits, pricesMicro }: { readonly limits?: ReadOptions['limits']; readonly pricesMicro: Prices },
): Promise<CheckedScheduleFile> {
  const { fileName } = batch;
  const { delimiter } = {
    ...tableCsvForm,
    ...(batch.delimiter === null ? {} : { delimiter: batch.delimiter }),
  };
  const content = await collect(tableCsv(recordsOfBatch(rows, batch), delimiter), { fileName });
  const form = { ...tableCsvForm, delimiter, skipLines: linesAbove(content) };
  const options = { ...submittedColumns(batch), ...form };
  return checkFile({ fileName, content, options }, { limits, pricesMicro, notes: [] });
}

type Prices = Readonly<Record<Operation, bigint>>;

async function checkFile(
  file: Omit<ScheduleFile, 'companies'>,
  {
    limits,
    pricesMicro,
    notes,
  }: {
    readonly limits: ReadOptions['limits'];
    readonly pricesMicro: Prices;
    readonly notes: readonly string[];
  },
): Promise<CheckedScheduleFile> {
  const check = await checkCompanies(await openFile(file, limits), pricesMicro);
  if (check.companies > 0) return { file: { ...file, companies: check.companies }, check, notes };
  throw new ValidationError(
    `${file.fileName}: none of its ${check.rows.total} rows has a company that can be searched. Add at least one.`,
  );
}

/** Reading options that are stored with the file, for every scan. */
const storedKeys = [
  'map',
  'encoding',
  'delimiter',
  'quote',
  'escape',
  'skipLines',
  'strict',
  'noHeader',
  'columns',
] as const satisfies readonly (keyof FileOptions & keyof ReadOptions)[];

function storedOptions(reading: Omit<ReadOptions, 'fileName' | 'limits'>): FileOptions {
  return Object.fromEntries(
    storedKeys.flatMap((key) => (reading[key] === undefined ? [] : [[key, reading[key]]])),
  );
}

/** Parses the file as every scan does. */
function openFile(
  { fileName, content, options }: Omit<ScheduleFile, 'companies'>,
  limits: ReadOptions['limits'] = {},
) {
  return readCompanies(Readable.from([content]), {
    ...options,
    fileName,
    operations: ['ads_search'] as const,
    limits,
  });
}

/** Content of a file to store, with the options that read it: a table of another format than CSV is converted. */
interface StoredContent {
  readonly content: Buffer;
  readonly form: FileOptions;
  /** Findings about the content. */
  readonly notes: readonly string[];
}

async function readWhole(input: Readable, options: ReadOptions): Promise<StoredContent> {
  const list = await openOwnList(input, options, {
    ...defaultFileLimits,
    bytesMax: scheduleFileBytesMax,
  });
  try {
    if (list.kind === 'text') return { content: await collect(list.chunks, options), form: {}, notes: [] };
    const { records, notes } = recordsOfTable(list, options);
    const content = await collect(tableCsv(records), options);
    return { content, form: { ...tableCsvForm, skipLines: linesAbove(content) }, notes: notes() };
  } finally {
    await list.close();
  }
}

async function collect(
  pieces: AsyncIterable<Buffer | string>,
  { fileName }: Pick<ReadOptions, 'fileName'>,
): Promise<Buffer> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > scheduleFileBytesMax)
      throw fileTooLarge(
        fileName,
        null,
        `The rows of the file have more than ${scheduleFileBytesMax / (1024 * 1024)} MiB. Split it into smaller files.`,
      );
    collected.push(buffer);
  }
  return Buffer.concat(collected);
}

import { Readable } from 'node:stream';
import type { Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import type { FileOptions, ScheduleFile } from '../../core/schedules/schedule.ts';
import { checkCompanies, type CompanyCheck } from './check-companies.ts';
import { readBytes } from '../../csv/read-bytes.ts';
import { readCompanies, type ReadOptions } from '../rows/read-companies.ts';

/** Size limit of a schedule's file, which is stored in the schedule: about half a million companies. Our choice. */
const scheduleFileBytesMax = 16 * 1024 * 1024;

/** A file for a schedule, with its check. */
export interface CheckedScheduleFile {
  readonly file: ScheduleFile;
  readonly check: CompanyCheck;
}

/**
 * Reads and checks the file of a schedule. Its companies are searched; other cells of its rows are ignored.
 *
 * @throws ValidationError when the file cannot be parsed, is too large, or names no company.
 */
export async function readScheduleFile(
  input: Readable,
  { fileName, limits, ...reading }: ReadOptions,
  pricesMicro: Readonly<Record<Operation, bigint>>,
): Promise<CheckedScheduleFile> {
  const options = storedOptions(reading);
  const content = await readWhole(input, fileName);
  const check = await checkCompanies(await openFile({ fileName, content, options }, limits), pricesMicro);
  if (check.companies > 0) return { file: { fileName, content, options, companies: check.companies }, check };
  throw new ValidationError(
    `${fileName}: none of its ${check.rows.total} rows has a company that can be searched. Add at least one.`,
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

async function readWhole(input: Readable, fileName: string): Promise<Buffer> {
  const bytes = await readBytes(input, { fileName, bytesMax: scheduleFileBytesMax, headBytes: 1 });
  const pieces: Buffer[] = [];
  for await (const piece of bytes.chunks) pieces.push(piece);
  return Buffer.concat(pieces);
}

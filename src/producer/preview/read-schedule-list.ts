import { Readable } from 'node:stream';
import type { Operation } from '../../core/credits/price-book.ts';
import { ValidationError } from '../../core/errors.ts';
import type { ListReading, ScheduleList } from '../../core/schedules/schedule.ts';
import { checkCompanies, type CompanyCheck } from './check-companies.ts';
import { readBytes } from '../../csv/read-bytes.ts';
import { readCompanies, type ReadOptions } from '../rows/read-companies.ts';

/** Maximum size of the stored file of a schedule. Our choice, about half a million companies. */
const scheduleListBytesMax = 16 * 1024 * 1024;

/** File for a schedule, with its check. */
export interface ReadList {
  readonly list: ScheduleList;
  readonly check: CompanyCheck;
}

/**
 * Reads and checks the whole file of a schedule. Only its companies are searched.
 *
 * @throws ValidationError when it cannot be read, is too large, or has no company.
 */
export async function readScheduleList(
  input: Readable,
  { fileName, map, encoding, delimiter, noHeader, columns, limits }: ReadOptions,
  pricesMicro: Readonly<Record<Operation, bigint>>,
): Promise<ReadList> {
  const reading: ListReading = {
    ...(map === undefined ? {} : { map }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(noHeader === undefined ? {} : { noHeader }),
    ...(columns === undefined ? {} : { columns }),
  };
  const content = await readWhole(input, fileName);
  const check = await checkCompanies(await openList({ fileName, content, reading }, limits), pricesMicro);
  if (check.companies > 0) return { list: { fileName, content, reading, companies: check.companies }, check };
  throw new ValidationError(
    `${fileName}: none of its ${check.rows.total} rows has a company that can be searched. Add at least one.`,
  );
}

/** Opens the file as every scan does. */
function openList(
  { fileName, content, reading }: Omit<ScheduleList, 'companies'>,
  limits: ReadOptions['limits'] = {},
) {
  const options = { ...reading, fileName, operations: ['ads_search'] as const, limits };
  return readCompanies(Readable.from([content]), options);
}

async function readWhole(input: Readable, fileName: string): Promise<Buffer> {
  const bytes = await readBytes(input, { fileName, bytesMax: scheduleListBytesMax, headBytes: 1 });
  const pieces: Buffer[] = [];
  for await (const piece of bytes.chunks) pieces.push(piece);
  return Buffer.concat(pieces);
}

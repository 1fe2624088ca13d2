import { contractPricesMicro } from '../stand-in/contract-prices.ts';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { ValidationError } from '../../../src/core/errors.ts';
import { checkCompanies, type CompanyCheck } from '../../../src/producer/preview/check-companies.ts';
import { readCompanies, type RawRow, type ReadOptions } from '../../../src/producer/rows/read-companies.ts';

/** Result of reading a file: all of it, or the reason why it was rejected. */
export type ReadOutcome =
  | { readonly kind: 'read'; readonly rows: readonly RawRow[]; readonly check: CompanyCheck }
  | { readonly kind: 'refused'; readonly message: string; readonly where: string | undefined };

/** No file of these tests is large enough to take this long. */
const readMsMax = 10_000;

/** Reads the pieces as the file `list.csv`. Fails when that takes over ten seconds, or ends in any error but a refusal. */
export async function outcomeOf(
  pieces: readonly Buffer[],
  options: Partial<ReadOptions>,
): Promise<ReadOutcome> {
  const startedMs = performance.now();
  try {
    return await readAll(pieces, { fileName: 'list.csv', ...options });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    expect(error.message).toContain('list.csv');
    return { kind: 'refused', message: error.message, where: error.where };
  } finally {
    expect(performance.now() - startedMs).toBeLessThan(readMsMax);
  }
}

async function readAll(pieces: readonly Buffer[], options: ReadOptions): Promise<ReadOutcome> {
  const file = await readCompanies(Readable.from(pieces, { objectMode: false }), options);
  const rows: RawRow[] = [];
  async function* noted(): AsyncGenerator<readonly RawRow[]> {
    for await (const block of file.rows) {
      rows.push(...block);
      yield block;
    }
  }
  const check = await checkCompanies({ ...file, rows: noted() }, contractPricesMicro);
  return { kind: 'read', rows, check };
}

/** The content in pieces of these sizes, used in turn; of a long file all pieces are longer, so that there are not thousands. */
export function cutInto(content: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  const scale = Math.ceil(content.length / 10_000);
  let start = 0;
  while (start < content.length) {
    const end = start + (sizes[pieces.length % sizes.length] ?? content.length) * scale;
    pieces.push(content.subarray(start, end));
    start = end;
  }
  return pieces;
}

import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { peakRssMb, timed } from '../support/figures.ts';
import type { ParseResult } from './tasks.ts';

/** Parses a CSV with csv-parse and ignores the values: the minimum for Node to read its rows. */
export async function parseBare(file: string): Promise<ParseResult> {
  let records = 0;
  const { seconds } = await timed(async () => {
    const parser = createReadStream(file).pipe(parse());
    parser.on('data', () => (records += 1));
    await finished(parser);
  });
  // The header is not a row.
  return { rows: records - 1, seconds, peakRssMb: peakRssMb() };
}

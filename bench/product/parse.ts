import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { peakRssMb, timed } from '../support/figures.ts';
import type { ParseResult } from './tasks.ts';

/** Reads a CSV with csv-parse as it comes and looks at nothing: the least that Node takes for its rows. */
export async function parseBare(file: string): Promise<ParseResult> {
  let records = 0;
  const { seconds } = await timed(async () => {
    const parser = createReadStream(file).pipe(parse());
    parser.on('data', () => (records += 1));
    await finished(parser);
  });
  // The header is no row.
  return { rows: records - 1, seconds, peakRssMb: peakRssMb() };
}

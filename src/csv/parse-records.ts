import { Parser } from 'csv-parse';
import { collectRecords } from './collect-records.ts';
import type { CsvRecord, RecordCollector, RecordOptions } from './collect-records.ts';
import { recordTooLarge, unreadableRecord } from './malformed-errors.ts';

/**
 * Parses CSV text in UTF-8 into blocks of records, the first record by itself.
 *
 * Records end with LF, CR LF or CR, in any mixture; they may have any number of cells. Blank lines are left out, but
 * counted. Nothing is skipped: at the first thing that cannot be read, reading ends.
 *
 * @throws ValidationError naming the line where the offending record starts.
 */
export async function* parseRecords(
  text: AsyncIterable<Uint8Array>,
  options: RecordOptions,
): AsyncGenerator<readonly CsvRecord[], undefined> {
  const records = collectRecords(options);
  const parser = createParser(options, records);
  let bytesOpen = 0;
  try {
    for await (const chunk of text) {
      if (chunk.includes(0)) records.expectNul();
      const before = progress(parser);
      await write(parser, chunk);
      bytesOpen = progress(parser) === before ? bytesOpen + chunk.length : 0;
      if (bytesOpen > mostBytesOf(options)) throw recordTooLarge(records.nextLineNo(parser.info), options);
      yield* records.fullBlocks();
      records.throwRefusal();
    }
    await end(parser);
  } catch (error) {
    // What was read before the mistake comes before it, wherever the pieces are cut.
    yield* records.fullBlocks();
    records.throwRefusal();
    throw unreadableRecord(error, records.nextLineNo(parser.info), options);
  }
  records.throwRefusal();
  yield* records.allBlocks();
}

/**
 * The parser, with its records going straight to the collector. Its own ways to tell where a record stands, `on_record` and
 * `info`, copy its whole state for every record, which takes a third of the time; and nothing needs to queue for reading.
 */
function createParser(options: RecordOptions, records: RecordCollector): Parser {
  const parser = new Parser({
    delimiter: options.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: options.recordBytesMax,
  });
  parser.push = (record: string[] | null) => {
    if (record !== null) records.take(record, parser.info);
    return true;
  };
  // The same errors reach us through the promises below.
  return parser.on('error', () => {});
}

/** Changes whenever a record or a blank line has ended. */
function progress(parser: Parser): number {
  return parser.info.records + parser.info.empty_lines;
}

/**
 * The bytes that an allowed record can have at most in the file: an empty cell counts 1 and may be written `"",`.
 *
 * The parser's own limit does not count separators, so a line of nothing but separators would fill the memory.
 */
function mostBytesOf(options: RecordOptions): number {
  return 3 * options.recordBytesMax + 16;
}

function write(parser: Parser, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function end(parser: Parser): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject);
    parser.once('finish', resolve);
    parser.end();
  });
}

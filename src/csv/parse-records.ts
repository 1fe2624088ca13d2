import { Parser } from 'csv-parse';
import { collectRecords } from './collect-records.ts';
import type { CsvRecord, RecordCollector, RecordOptions } from './collect-records.ts';
import { recordTooLarge, unreadableRecord } from './malformed-errors.ts';

/**
 * Parses CSV text in UTF-8 to blocks of records. The first record is a block of its own.
 *
 * Records end with LF, CR LF or CR, in any mixture; they can have any number of cells. Blank lines are skipped, but counted. Parsing ends at
 * the first invalid record.
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
    // Records before the error come first, wherever the chunks end.
    yield* records.fullBlocks();
    records.throwRefusal();
    throw unreadableRecord(error, records.nextLineNo(parser.info), options);
  }
  records.throwRefusal();
  yield* records.allBlocks();
}

/**
 * Creates a parser whose records go directly to the collector. Its own options for the position of a record, `on_record` and `info`, copy
 * its whole state for every record, which takes a third of the time; and no record has to wait in a read queue.
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
  // The promises below reject with the same errors.
  return parser.on('error', () => {});
}

/** Returns a number that grows with every record and every blank line. */
function progress(parser: Parser): number {
  return parser.info.records + parser.info.empty_lines;
}

/**
 * Returns the maximum size of an allowed record in the file: an empty cell counts 1 and can be written `"",`.
 *
 * The parser's own limit does not count delimiters, so a line of delimiters alone would fill the memory.
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

import { malformedJson, valueTooLarge, type RawValue, type SplitOptions } from './raw-value.ts';
import { createValueScanner } from './value-scanner.ts';

const lineFeed = 0x0a;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Part of the array that comes next. */
type Expected = 'array' | 'value' | 'value or end' | 'comma or end' | 'nothing';

/**
 * Splits a JSON array in UTF-8 to its values. Whether a value is well-formed is for its parser to say.
 *
 * @throws ValidationError with the line when the array itself is not well-formed or is cut off. The values before it come first.
 */
export async function* splitArray(
  text: AsyncIterable<Buffer>,
  options: SplitOptions,
): AsyncGenerator<readonly RawValue[], undefined> {
  const splitter = createArraySplitter(options);
  for await (const chunk of text) {
    try {
      splitter.write(chunk);
    } catch (error) {
      yield splitter.take();
      throw error;
    }
    yield splitter.take();
  }
  splitter.end();
}

function createArraySplitter(options: SplitOptions) {
  const scanner = createValueScanner();
  let expected: Expected = 'array';
  let values: RawValue[] = [];
  /** Chunks of the open value before the current one. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isOpen = false;
  let lineNo = 1;
  let valueLineNo = 1;

  function write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (isOpen) at = writeValue(chunk, at);
      else {
        const byte = chunk[at] ?? 0;
        if (byte === lineFeed) lineNo += 1;
        if (byte <= 0x20 || !openValue(byte)) at += 1;
      }
    }
  }

  /** Takes a byte between values; true when a value starts with it. */
  function openValue(byte: number): boolean {
    if (expected === 'array' && byte === openBracket) expected = 'value or end';
    else if (byte === closeBracket && (expected === 'value or end' || expected === 'comma or end'))
      expected = 'nothing';
    else if (expected === 'comma or end' && byte === comma) expected = 'value';
    else if (expected === 'value' || expected === 'value or end') {
      scanner.start(byte);
      isOpen = true;
      valueLineNo = lineNo;
      return true;
    } else throw malformedJson(options, lineNo, reasonFor(expected, byte));
    return false;
  }

  /** Takes the bytes of the open value; returns the position after them. */
  function writeValue(chunk: Buffer, start: number): number {
    const end = scanner.scan(chunk, start);
    const stop = end === -1 ? chunk.length : end;
    lineNo += scanner.takeLines();
    begun.push(chunk.subarray(start, stop));
    begunBytes += stop - start;
    if (begunBytes > options.valueBytesMax) throw valueTooLarge(options, valueLineNo);
    if (end !== -1) closeValue();
    return stop;
  }

  function closeValue(): void {
    const [first] = begun;
    const bytes = begun.length === 1 && first !== undefined ? first : Buffer.concat(begun);
    // A scalar has no bytes before a comma in its place, as in `[1,,2]`.
    if (bytes.length === 0) throw malformedJson(options, lineNo, 'a value is missing');
    values.push({ lineNo: valueLineNo, bytes });
    begun = [];
    begunBytes = 0;
    isOpen = false;
    expected = 'comma or end';
  }

  function take(): readonly RawValue[] {
    const taken = values;
    values = [];
    return taken;
  }

  function end(): void {
    if (expected !== 'nothing')
      throw malformedJson(options, lineNo, 'the array has no end: the file is cut off');
  }

  return { write, take, end };
}

function reasonFor(expected: Expected, byte: number): string {
  const character = JSON.stringify(String.fromCharCode(byte));
  if (expected === 'nothing') return `text follows the array (${character})`;
  return expected === 'comma or end'
    ? `a comma is missing before ${character}`
    : `${character} is not expected here`;
}

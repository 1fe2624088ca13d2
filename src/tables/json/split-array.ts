import { malformedJson, valueTooLarge, type RawValue, type SplitOptions } from './raw-value.ts';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Part of the array that comes next. */
type Expected = 'array' | 'value' | 'value or end' | 'comma or end' | 'nothing';

/**
 * Splits a JSON array in UTF-8 to its values, by brackets and strings alone. Whether a value is well-formed is for its parser to say.
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
  let expected: Expected = 'array';
  let values: RawValue[] = [];
  /** Chunks of the open value before the current one. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isOpen = false;
  let isScalar = false;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let lineNo = 1;
  let valueLineNo = 1;

  function write(chunk: Buffer): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      const byte = chunk[at] ?? 0;
      if (byte === 0x0a) lineNo += 1;
      if (isOpen) {
        if (isInString) at = skipString(chunk, at);
        else if (isScalar && (byte === comma || byte === closeBracket || byte <= 0x20))
          close(chunk, start, at);
        else {
          at += 1;
          if (stepInValue(byte)) close(chunk, start, at);
        }
      } else {
        if (byte > 0x20 && stepBetween(byte)) {
          start = at;
          continue;
        }
        at += 1;
      }
    }
    if (!isOpen) return;
    begun.push(Buffer.from(chunk.subarray(start)));
    begunBytes += chunk.length - start;
    if (begunBytes > options.valueBytesMax) throw valueTooLarge(options, valueLineNo);
  }

  /** Skips to the end of a string or of the chunk; returns the position after it. */
  function skipString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        isInString = false;
        return at + 1;
      }
      // The caller has counted the first byte.
      if (byte === 0x0a && at > from) lineNo += 1;
    }
    return chunk.length;
  }

  /** Takes a byte of a value; true when the value ends with it. */
  function stepInValue(byte: number): boolean {
    if (byte === quote) isInString = true;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    return depth === 0 && !isScalar;
  }

  /** Takes a byte between values; true when a value starts with it. */
  function stepBetween(byte: number): boolean {
    if (expected === 'array' && byte === openBracket) expected = 'value or end';
    else if (byte === closeBracket && (expected === 'value or end' || expected === 'comma or end'))
      expected = 'nothing';
    else if (expected === 'comma or end' && byte === comma) expected = 'value';
    else if (expected === 'value' || expected === 'value or end') {
      isOpen = true;
      isScalar = byte !== openBrace && byte !== openBracket;
      depth = 0;
      valueLineNo = lineNo;
      return true;
    } else throw malformedJson(options, lineNo, reasonFor(expected, byte));
    return false;
  }

  function close(chunk: Buffer, start: number, stop: number): void {
    const rest = chunk.subarray(start, stop);
    const bytes = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
    if (bytes.length > options.valueBytesMax) throw valueTooLarge(options, valueLineNo);
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
      throw malformedJson(options, lineNo, 'the array has no end; the file is cut off');
  }

  return { write, take, end };
}

function reasonFor(expected: Expected, byte: number): string {
  const character = JSON.stringify(String.fromCharCode(byte));
  if (expected === 'nothing') return `text follows the array (${character})`;
  if (expected === 'comma or end') return `a comma is missing before ${character}`;
  return `${character} is not expected here`;
}

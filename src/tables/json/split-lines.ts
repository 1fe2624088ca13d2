import { valueTooLarge, type RawValue, type SplitOptions } from './raw-value.ts';

const lineFeed = 0x0a;

/** Splits text in UTF-8 to its lines that are not blank. @throws TooLarge for a line beyond the limit. */
export async function* splitLines(
  text: AsyncIterable<Buffer>,
  options: SplitOptions,
): AsyncGenerator<readonly RawValue[], undefined> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let lineNo = 1;
  for await (const chunk of text) {
    const lines: RawValue[] = [];
    let start = 0;
    for (let stop = chunk.indexOf(lineFeed); stop !== -1; stop = chunk.indexOf(lineFeed, start)) {
      const rest = chunk.subarray(start, stop);
      const bytes = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
      if (bytes.length > options.valueBytesMax) throw valueTooLarge(options, lineNo);
      if (!isBlank(bytes)) lines.push({ lineNo, bytes });
      begun = [];
      begunBytes = 0;
      lineNo += 1;
      start = stop + 1;
    }
    if (start < chunk.length) {
      begun.push(chunk.subarray(start));
      begunBytes += chunk.length - start;
    }
    if (begunBytes > options.valueBytesMax) throw valueTooLarge(options, lineNo);
    yield lines;
  }
  const bytes = Buffer.concat(begun);
  if (!isBlank(bytes)) yield [{ lineNo, bytes }];
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte > 0x20) return false;
  return true;
}

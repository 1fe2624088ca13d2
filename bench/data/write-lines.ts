import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes lines, without their ends, to a file; memory stays constant. */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(blocksOf(lines)), createWriteStream(path));
}

const blockChars = 256 * 1024;

function* blocksOf(lines: Iterable<string>): Generator<string> {
  let block = '';
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < blockChars) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

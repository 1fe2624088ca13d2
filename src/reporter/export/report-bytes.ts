import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Lines, ReportWriter } from '../formats/report-writer.ts';

/** Minimum length of a chunk of text, so that small blocks do not cost a write each. */
const chunkCharsMin = 65_536;

/**
 * Passes on the blocks of a report and counts their lines.
 *
 * Checks the signal before and after each block; aborting a block that is being fetched is up to the source.
 */
export async function* watched(
  blocks: AsyncIterable<Lines>,
  {
    signal,
    onLines,
  }: { readonly signal: AbortSignal | undefined; readonly onLines: (count: number) => void },
): AsyncGenerator<Lines> {
  signal?.throwIfAborted();
  for await (const lines of blocks) {
    signal?.throwIfAborted();
    onLines(lines.length);
    yield lines;
  }
  signal?.throwIfAborted();
}

/** Yields the text of a report as the bytes of its file, in chunks. */
export async function* textBytes(
  blocks: AsyncIterable<Lines>,
  writer: ReportWriter,
): AsyncGenerator<Uint8Array> {
  let text = writer.head;
  for await (const lines of blocks) {
    text += writer.block(lines);
    if (text.length < chunkCharsMin) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + writer.tail);
}

/**
 * Compresses chunks of bytes. When it ends, for any reason, the source has ended as well.
 *
 * Equal input gives equal output on one version of Node and one kind of machine: the header contains no time and no name.
 *
 * @throws the source's own error.
 */
export async function* gzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // If the source fails, the stream is destroyed with its error, and the loop below throws the same error.
  const fed = pipeline(chunks, gzip).catch(() => undefined);
  try {
    for await (const chunk of gzip) yield chunk;
  } finally {
    await fed;
  }
}

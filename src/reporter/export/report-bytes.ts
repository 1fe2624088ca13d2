import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Lines, ReportWriter } from '../formats/report-writer.ts';

/** Text is gathered up to this length, so that blocks of a few lines don't cost a write each. */
const chunkCharsMin = 65_536;

/**
 * Passes the blocks of a report on and counts their lines.
 *
 * The signal is looked at before and after each block; a block that is being fetched is the source's own to give up.
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
 * Compresses chunks of bytes. However it ends, the source has ended as well by then.
 *
 * Equal bytes in give equal bytes out on one version of Node and one kind of machine: no time, no name in the header.
 *
 * @throws the source's own error.
 */
export async function* gzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip();
  // When the source fails, the stream is destroyed with its error, and the loop below throws that same error.
  const fed = pipeline(chunks, gzip).catch(() => undefined);
  try {
    for await (const chunk of gzip) yield chunk;
  } finally {
    await fed;
  }
}

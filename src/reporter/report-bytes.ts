import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ReportWriter } from './formats/report-writer.ts';
import type { Report } from './report-row.ts';

/** Text is gathered up to this length, so that blocks of a few lines don't cost a write each. */
const chunkCharsMin = 65_536;

/**
 * Yields a report as the bytes of its file, in chunks, and counts its lines as they pass.
 *
 * The signal is looked at before and after each block; a block that is being fetched is the source's own to give up.
 */
export async function* reportBytes(
  report: Report,
  writer: ReportWriter,
  options: { readonly signal: AbortSignal | undefined; readonly onLines: (count: number) => void },
): AsyncGenerator<Uint8Array> {
  const { signal, onLines } = options;
  signal?.throwIfAborted();
  let text = writer.head;
  for await (const lines of report.blocks) {
    signal?.throwIfAborted();
    onLines(lines.length);
    text += writer.block(lines);
    if (text.length < chunkCharsMin) continue;
    yield Buffer.from(text);
    text = '';
  }
  signal?.throwIfAborted();
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

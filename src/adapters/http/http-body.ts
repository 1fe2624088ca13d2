import type { Response } from 'undici';
import { SourceUnreadable } from '../../core/errors.ts';

/**
 * Reads the whole body as UTF-8 text. Bytes are counted after decompression and while they arrive, so that a longer body is
 * neither buffered nor read to its end.
 *
 * @throws SourceUnreadable when it has more than `bytesMax` bytes.
 */
export async function readText(response: Response, bytesMax: number, where: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new SourceUnreadable(`${where} answered more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return decode(chunks);
}

/** Reads the start of a body that only explains a status, up to `bytesMax` bytes. */
export async function readStart(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk.subarray(0, bytesMax - bytes));
      bytes += chunk.byteLength;
      if (bytes >= bytesMax) break;
    }
  } catch {
    // Cut off or too late: the status counts without its explanation.
  }
  return decode(chunks);
}

function chunksOf({ body }: Response): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  return (body as AsyncIterable<Uint8Array> | null) ?? [];
}

function decode(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}

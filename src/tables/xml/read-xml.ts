import { isUtf8 } from 'node:buffer';
import { completeUtf8 } from '../../csv/utf8.ts';
import { XmlError } from '../../xml/decode-entities.ts';
import { createXmlReader, type XmlHandler } from '../../xml/xml-reader.ts';

/**
 * Reads a document. `afterChunk` is called after each chunk whose parts the handler has received, and can end the reading by throwing.
 *
 * @throws XmlError for a document that is not well-formed, or not in UTF-8 or UTF-16.
 */
export async function readXml(
  bytes: AsyncIterable<Buffer>,
  handler: XmlHandler,
  afterChunk: () => void = () => {},
): Promise<void> {
  const reader = createXmlReader(handler);
  for await (const text of decodeXml(bytes)) {
    reader.write(text);
    afterChunk();
  }
  reader.end();
}

/**
 * Reads a large document, and yields after each chunk what the handler has made of it.
 *
 * @param take returns what is complete, once.
 * @throws XmlError as `readXml` does. What was complete before comes first.
 */
export async function* readXmlParts<Part>(
  bytes: AsyncIterable<Buffer>,
  handler: XmlHandler,
  take: () => Iterable<Part>,
): AsyncGenerator<Part, undefined> {
  const reader = createXmlReader(handler);
  try {
    for await (const text of decodeXml(bytes)) {
      reader.write(text);
      yield* take();
    }
    reader.end();
  } catch (error) {
    yield* take();
    throw error;
  }
  yield* take();
}

async function* decodeXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let decode: ((chunk: Buffer, isLast: boolean) => string) | null = null;
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < 2) continue;
    decode ??= decoderFor(head);
    yield decode(head, false);
    head = Buffer.alloc(0);
  }
  decode ??= createUtf8Decoder();
  yield decode(head, true);
}

function decoderFor(head: Buffer): (chunk: Buffer, isLast: boolean) => string {
  const mark = head.readUInt16BE(0);
  if (mark !== 0xfffe && mark !== 0xfeff) return createUtf8Decoder();
  const decoder = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be', { fatal: true });
  return (chunk, isLast) => {
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch (cause) {
      throw new XmlError('it is not valid UTF-16', { cause });
    }
  };
}

/** Faster than the decoder of the platform, which copies each chunk through another library. */
function createUtf8Decoder(): (chunk: Buffer, isLast: boolean) => string {
  let begun = Buffer.alloc(0);
  return (chunk, isLast) => {
    const all = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    const whole = isLast ? all : all.subarray(0, completeUtf8(all).length);
    begun = Buffer.from(all.subarray(whole.length));
    if (!isUtf8(whole)) throw new XmlError('it is not valid UTF-8');
    return whole.toString();
  };
}

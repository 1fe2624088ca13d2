import { TextDecoder } from 'node:util';

/** Passes JSON on as UTF-8 without a byte order mark. UTF-16 is converted when it has one. Invalid UTF-8 stays, for the lines that have it. */
export async function* decodeJson(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let decoder: TextDecoder | null = null;
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    let text = chunk;
    if (head !== null) {
      text = Buffer.concat([head, chunk]);
      if (text.length < 3) {
        head = text;
        continue;
      }
      head = null;
      decoder = utf16Decoder(text);
      if (decoder === null && text.readUIntBE(0, 3) === 0xefbbbf) text = text.subarray(3);
    }
    yield decoder === null ? text : Buffer.from(decoder.decode(text, { stream: true }));
  }
  if (head !== null && head.length > 0) yield head;
  if (decoder !== null) yield Buffer.from(decoder.decode());
}

function utf16Decoder(head: Buffer): TextDecoder | null {
  const mark = head.readUInt16BE(0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le');
  return mark === 0xfeff ? new TextDecoder('utf-16be') : null;
}

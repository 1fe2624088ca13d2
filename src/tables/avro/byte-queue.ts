import { DamagedAvro } from './damaged-avro.ts';

/** Bytes of a stream, in order. */
export interface ByteQueue {
  /** Takes exactly so many bytes. @throws DamagedAvro when the stream ends before. */
  readonly take: (length: number) => Promise<Buffer>;
  /** True when no byte is left. */
  readonly isAtEnd: () => Promise<boolean>;
  /** Closes the stream. */
  readonly close: () => Promise<void>;
}

/** Creates a queue that reads no further ahead than one chunk. */
export function createByteQueue(chunks: AsyncIterable<Buffer>): ByteQueue {
  const source = chunks[Symbol.asyncIterator]();
  let current: Buffer = Buffer.alloc(0);

  async function fill(): Promise<boolean> {
    while (current.length === 0) {
      const next = await source.next();
      if (next.done === true) return false;
      current = next.value;
    }
    return true;
  }

  async function take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0;) {
      if (!(await fill())) throw new DamagedAvro('it is cut off');
      const part = current.subarray(0, left);
      current = current.subarray(part.length);
      left -= part.length;
      parts.push(part);
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  return {
    take,
    isAtEnd: async () => !(await fill()),
    close: async () => void (await source.return?.()),
  };
}

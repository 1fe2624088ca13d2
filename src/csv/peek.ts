/** A stream of bytes whose beginning has been read without being used up. */
export interface Peeked {
  /** At least as many bytes as asked for, unless the stream is shorter. */
  readonly head: Buffer;
  /** Everything, from the first byte on. Leaving the iteration early closes the source. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads ahead until `bytesMin` bytes are known. The source is closed if that fails. */
export async function peek(source: AsyncGenerator<Buffer>, bytesMin: number): Promise<Peeked> {
  const ahead: Buffer[] = [];
  let bytes = 0;
  while (bytes < bytesMin) {
    const next = await source.next();
    if (next.done === true) break;
    ahead.push(next.value);
    bytes += next.value.length;
  }

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      yield* ahead.splice(0);
      yield* source;
    } finally {
      await source.return(undefined);
    }
  }

  return { head: Buffer.concat(ahead), chunks: chunks() };
}

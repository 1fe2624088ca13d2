/** Byte stream with a known beginning that is not consumed. */
export interface Peeked {
  /** At least the requested number of bytes, unless the stream is shorter. */
  readonly head: Buffer;
  /** All bytes from the first. Leaving the iteration early closes the source. */
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads at least `bytesMin` bytes ahead. Closes the source on an error. */
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

import type { Lines } from '../formats/report-writer.ts';

/**
 * Cuts the blocks of a report into parts of at most `linesMax` lines, each an iterable of blocks. There is at least one part, which is empty
 * for a report without lines. A part must be read to its end before the next one is requested.
 *
 * The same lines give the same parts, however they are divided into blocks.
 */
export async function* cutReport(
  blocks: AsyncIterable<Lines>,
  linesMax: number,
): AsyncGenerator<AsyncIterable<Lines>> {
  const source = blocks[Symbol.asyncIterator]();
  let rest: Lines = [];
  let isAtEnd = false;

  async function fill(): Promise<void> {
    while (rest.length === 0 && !isAtEnd) {
      const next = await source.next();
      if (next.done === true) isAtEnd = true;
      else rest = next.value;
    }
  }

  async function* part(): AsyncGenerator<Lines> {
    let room = linesMax;
    while (room > 0) {
      await fill();
      if (rest.length === 0) return;
      const taken = rest.length <= room ? rest : rest.slice(0, room);
      rest = rest.slice(taken.length);
      room -= taken.length;
      yield taken;
    }
  }

  try {
    await fill();
    do {
      yield part();
      await fill();
    } while (rest.length > 0);
  } finally {
    await source.return?.();
  }
}

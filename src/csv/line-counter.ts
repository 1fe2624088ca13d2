const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Counter of lines over the chunks of a text. LF, CR LF and CR each end a line, in any mixture. */
export interface LineCounter {
  /** Adds the next chunk, as UTF-8. */
  readonly add: (bytes: Uint8Array) => void;
  /** Returns the line, from 1, of the byte after all chunks so far. */
  readonly lineNo: () => number;
}

/** Creates a counter at line 1. */
export function createLineCounter(): LineCounter {
  let ends = 0;
  let last = 0;
  return {
    add(bytes) {
      ends += countLineEnds(bytes, last);
      last = bytes.at(-1) ?? last;
    },
    lineNo: () => ends + 1,
  };
}

/** Counts the line ends within a cell, by the same rule. */
export function lineEndsWithin(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Counts line ends. A LF after a CR belongs to the same line end, also across two chunks. */
function countLineEnds(bytes: Uint8Array, before: number): number {
  let ends = 0;
  let previous = before;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === carriageReturn || (byte === lineFeed && previous !== carriageReturn)) ends += 1;
    previous = byte;
  }
  return ends;
}

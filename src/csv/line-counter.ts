const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Counts line ends over the pieces of a text. LF, CR LF and CR alone each end a line, in any mixture. */
export interface LineCounter {
  /** Takes the next piece, as UTF-8. */
  readonly add: (bytes: Uint8Array) => void;
  /** The line, from 1, on which the byte after all those taken so far stands. */
  readonly lineNo: () => number;
}

/** A counter that has seen nothing yet and stands on line 1. */
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

/** Line ends within one cell, by the same rule. */
export function lineEndsWithin(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** A LF after a CR belongs to the line end counted with the CR, also across the border of two pieces. */
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

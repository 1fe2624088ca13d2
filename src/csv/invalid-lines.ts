/** Lines in which a lone surrogate was replaced, between the decoder and the record that contains them. */
export interface DamagedLines {
  /** Adds a line; lines come in ascending order. */
  readonly add: (lineNo: number) => void;
  /** Removes all lines up to this one; true when there were any. */
  readonly takeUpTo: (lineNo: number) => boolean;
}

/** Creates an empty set of lines. */
export function createDamagedLines(): DamagedLines {
  let lines: number[] = [];
  return {
    add(lineNo) {
      if (lines.at(-1) !== lineNo) lines.push(lineNo);
    },
    takeUpTo(lineNo) {
      if (lines.length === 0) return false;
      const rest = lines.findIndex((line) => line > lineNo);
      if (rest === 0) return false;
      lines = rest === -1 ? [] : lines.slice(rest);
      return true;
    },
  };
}

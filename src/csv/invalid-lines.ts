/** The lines on which a lone surrogate was replaced, on their way from the decoder to the record that holds them. */
export interface DamagedLines {
  /** Lines come in ascending order. */
  readonly add: (lineNo: number) => void;
  /** True when there are any up to this line, which are then forgotten. */
  readonly takeUpTo: (lineNo: number) => boolean;
}

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

/** Lines in which the decoder replaced characters, between the decoder and the record that contains them. */
export interface InvalidLines {
  /** Adds a line with its problem; lines come in ascending order. Further problems of a line are left out. */
  readonly add: (lineNo: number, problem: string) => void;
  /** Removes all lines up to this one, and returns their problems, each once. */
  readonly takeUpTo: (lineNo: number) => readonly string[];
}

const none: readonly string[] = [];

/** Creates an empty set of lines. */
export function createInvalidLines(): InvalidLines {
  let lines: { readonly lineNo: number; readonly problem: string }[] = [];
  return {
    add(lineNo, problem) {
      if (lines.at(-1)?.lineNo !== lineNo) lines.push({ lineNo, problem });
    },
    takeUpTo(lineNo) {
      const [first] = lines;
      if (first === undefined || first.lineNo > lineNo) return none;
      const rest = lines.findIndex((line) => line.lineNo > lineNo);
      const taken = rest === -1 ? lines : lines.slice(0, rest);
      lines = rest === -1 ? [] : lines.slice(rest);
      return [...new Set(taken.map(({ problem }) => problem))];
    },
  };
}

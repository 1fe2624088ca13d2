import type { RawRow } from '../columns/company-file.ts';

/** Remark about one row. */
export interface RowRemark {
  readonly rowNo: number;
  /** The line of the file where the row starts, from 1. */
  readonly lineNo: number;
  readonly text: string;
}

/** Number of rows with the same remark. */
export interface RemarkCount {
  /** Remark without the details of the row: `unknown ending …`, `too few fields`. */
  readonly text: string;
  readonly rows: number;
}

/** Collector of remarks in bounded memory: it counts all and keeps the first 100. */
export interface RowRemarks {
  readonly add: (row: RawRow, text: string) => void;
  readonly rows: () => number;
  readonly first: () => readonly RowRemark[];
  /** Most frequent first. */
  readonly counts: () => readonly RemarkCount[];
}

const keptMax = 100;

/** Creates an empty collector. */
export function createRowRemarks(): RowRemarks {
  const kept: RowRemark[] = [];
  const counts = new Map<string, number>();
  let rows = 0;
  return {
    add({ rowNo, lineNo }, text) {
      rows += 1;
      if (kept.length < keptMax) kept.push({ rowNo, lineNo, text });
      const kind = kindOf(text);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    rows: () => rows,
    first: () => kept,
    counts: () =>
      [...counts].map(([text, count]) => ({ text, rows: count })).sort((one, other) => other.rows - one.rows),
  };
}

/** Removes the details of a remark: quoted text, and the counts of fields. */
function kindOf(text: string): string {
  return text.replace(/"[^"]*"/g, '…').replace(/^(too (?:few|many) fields): [^;]*/, '$1');
}

/** Place in a query that an error names. */
export interface ErrorPlace {
  /** Index in the text. */
  readonly index: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Length of the word there. */
  readonly length: number;
}

/** Finds the place that a message of Postgres names, such as `(at character 8)`; null for none. */
export function errorPlaceOf(message: string, query: string): ErrorPlace | null {
  const position = Number(/\(at character (\d+)\)/.exec(message)?.[1] ?? 0);
  // Postgres counts characters from 1; some of them are two units of the text.
  const characters = [...query];
  if (position < 1 || position > characters.length + 1) return null;
  const index = characters.slice(0, position - 1).join('').length;
  const lines = query.slice(0, index).split('\n');
  return {
    index,
    line: lines.length,
    column: [...(lines.at(-1) ?? '')].length + 1,
    length: /^[\p{L}\p{N}_]+/u.exec(query.slice(index))?.[0].length ?? 1,
  };
}

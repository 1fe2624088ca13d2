import Table from 'cli-table3';

/** Result of a benchmark: a table for people and a document for programs. */
export interface BenchResult {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Text below the table: the meaning of the results, and their limits. */
  readonly notes: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** Formats the table of a result with its notes. */
export function resultText({ name, head, rows, notes }: BenchResult): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push([...row]);
  return [name, table.toString(), ...notes.map((note) => `  ${note}`)].join('\n');
}

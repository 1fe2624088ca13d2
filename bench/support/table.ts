import Table from 'cli-table3';

/** Result of a benchmark: a table for people and a document for programs. */
export interface BenchResult {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Told below the table: what the figures mean and what they leave out. */
  readonly notes: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** The table of a result with its notes. */
export function resultText({ name, head, rows, notes }: BenchResult): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push([...row]);
  return [name, table.toString(), ...notes.map((note) => `  ${note}`)].join('\n');
}

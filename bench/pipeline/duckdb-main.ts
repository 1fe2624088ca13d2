import { DuckDBInstance } from '@duckdb/node-api';
import { timed } from '../support/figures.ts';

/** Runs the statements of the benchmark in DuckDB, in memory, and replies with the seconds of each. */
const instance = await DuckDBInstance.create();
const connection = await instance.connect();

process.on('message', (statement) => void answer(String(statement)));
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.send?.({ seconds: 0, error: null });

async function answer(statement: string): Promise<void> {
  try {
    const { seconds } = await timed(() => connection.run(statement));
    process.send?.({ seconds, error: null });
  } catch (error) {
    process.send?.({ seconds: 0, error: error instanceof Error ? error.message : String(error) });
  }
}

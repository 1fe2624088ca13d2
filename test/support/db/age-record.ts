import { unguarded } from '../breakages/by-hand.ts';
import type { TestDatabase } from './database.ts';

/** Columns that determine the age of records, or that order other times. */
const aged: Readonly<Record<string, readonly string[]>> = {
  batches: ['created_at', 'loaded_at', 'finished_at', 'state_since'],
  chunks: ['split_at', 'due_at', 'queued_at', 'first_ended_at', 'last_ended_at'],
  lookups: ['ended_at', 'observed_at'],
  source_calls: ['sent_at', 'answered_at'],
  raw_responses: ['received_at'],
  scans: ['due_at', 'created_at', 'begun_at', 'finished_at', 'evaluated_at'],
  schedules: ['state_since', 'created_at'],
  events: ['created_at'],
  webhook_deliveries: ['created_at', 'delivered_at'],
};

/**
 * Makes the records this many days older, as if the time had passed. The ledger does not change: the hashes of its entries
 * include their times.
 */
export async function ageRecord({ owner }: Pick<TestDatabase, 'owner'>, days: number): Promise<void> {
  for (const [table, columns] of Object.entries(aged)) {
    const older = columns.map((column) => `${column} = ${column} - interval '${days} days'`);
    const update = `UPDATE nightshift.${table} SET ${older.join(', ')}`;
    await owner.pool.query(table === 'lookups' ? unguarded('lookups', update) : update);
  }
}

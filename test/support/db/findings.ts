import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type { TestDatabase } from './database.ts';

/** What `nightshift verify` finds broken in a database: empty when every rule holds. */
export async function listFindings({ app }: TestDatabase): Promise<readonly string[]> {
  const reports = await createVerifyStore(app.sql).check();
  return reports.flatMap(({ broken }) => broken);
}

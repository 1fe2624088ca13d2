import { sql } from 'drizzle-orm';
import {
  notApplicable,
  reportOf,
  type InvariantReport,
  type VerifyOptions,
} from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';

const batchesMax = 3;

/** Invariant 11, tried on the newest finished batches. */
export async function checkExports(db: Sql, { exportDigests }: VerifyOptions): Promise<InvariantReport> {
  if (exportDigests === undefined) return notApplicable(11, 'Nothing was exported for this check.');
  const batches = await db.execute<{ public_id: string }>(
    sql`SELECT public_id FROM nightshift.batches WHERE state = 'finished' AND purged_at IS NULL
      ORDER BY finished_at DESC, id DESC LIMIT ${batchesMax}`,
  );
  if (batches.rows.length === 0) return notApplicable(11, 'No batch is finished yet.');
  const findings: string[] = [];
  for (const { public_id: batch } of batches.rows) {
    const [first, second] = await exportDigests(batch);
    if (first !== second)
      findings.push(`batch ${batch} was exported twice, with SHA-256 ${first} and ${second}`);
  }
  const note = `Tried on the newest finished batches, at most ${batchesMax}.`;
  return reportOf(11, { checked: batches.rows.length, findings, findingsTotal: findings.length, note });
}

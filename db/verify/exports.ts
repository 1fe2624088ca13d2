import { and, desc, eq, isNull } from 'drizzle-orm';
import {
  notApplicable,
  reportOf,
  type InvariantReport,
  type VerifyOptions,
} from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { batches } from '../schema/batches.ts';

const batchesMax = 3;

/** Invariant 11, checked with the newest finished batches. */
export async function checkExports(db: Sql, { exportDigests }: VerifyOptions): Promise<InvariantReport> {
  if (exportDigests === undefined) return notApplicable(11, 'Nothing was exported for this check.');
  const { id, publicId, state, finishedAt, purgedAt } = batches;
  const newest = await db
    .select({ batch: publicId })
    .from(batches)
    .where(and(eq(state, 'finished'), isNull(purgedAt)))
    .orderBy(desc(finishedAt), desc(id))
    .limit(batchesMax);
  if (newest.length === 0) return notApplicable(11, 'No batch is finished yet.');
  const findings: string[] = [];
  for (const { batch } of newest) {
    const [first, second] = await exportDigests(batch);
    if (first !== second)
      findings.push(`batch ${batch} was exported twice, with SHA-256 ${first} and ${second}`);
  }
  const note = `Checked with the newest finished batches, at most ${batchesMax}.`;
  return reportOf(11, { checked: newest.length, findings, findingsTotal: findings.length, note });
}

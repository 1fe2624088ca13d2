import assert from 'node:assert/strict';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { EvaluatedScan, ScanEvaluator } from '../../../src/core/changes/scan-evaluator.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { keepObservations } from './observations.ts';
import { readObservations, readNewestSeen, type CompanyObservation } from './scan-observations.ts';
import { countChanges, emitScanEvent, noChanges, totalOf, type ChangeCount } from './scan-event.ts';
import { writeResults, type CompanyResult } from './scan-results.ts';
import {
  endEvaluation,
  listPendingEvaluations,
  claimEvaluation,
  type ClaimedScan,
  type EvaluationPlace,
} from './claim-evaluation.ts';
import { readCompanyParts } from './company-parts.ts';
import { evaluateCompany } from './evaluate-company.ts';
import { readTrackedCompanies } from './tracked-companies.ts';
import { writeTracked } from './write-tracked.ts';

/** Number of companies in memory at a time, with the ads that are compared. */
const companiesPerPage = 100;
/** Number of scans to try: other processes may be evaluating the first ones. */
const turnsTried = 20;

/** Implements `ScanEvaluator`. */
export function createScanEvaluator(db: NodePgDatabase): ScanEvaluator {
  return {
    evaluateNext: (signal) => withDatabase(() => evaluateNext(db, signal)),
  };
}

async function evaluateNext(db: NodePgDatabase, signal: AbortSignal): Promise<EvaluatedScan | null> {
  for (const place of await listPendingEvaluations(db, turnsTried)) {
    await keepObservations(db, place, signal);
    failpoint('evaluate:looks-kept');
    const evaluated = await db.transaction((transaction) => evaluate(transaction, place, signal));
    if (evaluated === null) continue;
    failpoint('evaluate:committed');
    return evaluated;
  }
  return null;
}

async function evaluate(db: Sql, place: EvaluationPlace, signal: AbortSignal): Promise<EvaluatedScan | null> {
  const claimed = await claimEvaluation(db, place);
  if (claimed === null) return null;
  const count = await evaluateCompanies(db, claimed, signal);
  await emitScanEvent(db, claimed, count);
  failpoint('evaluate:event-emitted');
  await endEvaluation(db, claimed);
  failpoint('evaluate:turn-ended');
  return { publicId: claimed.publicId, companies: count.companies, changes: totalOf(count) };
}

async function evaluateCompanies(db: Sql, claimed: ClaimedScan, signal: AbortSignal): Promise<ChangeCount> {
  const place = { ...claimed, newestSeen: await readNewestSeen(db, claimed.batchId) };
  let count = noChanges;
  for (let after: string | null = ''; after !== null;) {
    signal.throwIfAborted();
    const page = await readObservations(db, place, { after, limit: companiesPerPage });
    if (page.observations.length > 0)
      count = countChanges(count, await evaluatePage(db, claimed, page.observations));
    after = page.next;
  }
  return count;
}

async function evaluatePage(
  db: Sql,
  claimed: ClaimedScan,
  observations: readonly CompanyObservation[],
): Promise<readonly CompanyResult[]> {
  const { scheduleId, settings } = claimed;
  const keys = observations.map(({ companyKey }) => companyKey);
  const companies = await readTrackedCompanies(db, scheduleId, keys);
  const parts = await readCompanyParts(db, claimed, observations, companies);
  const results = observations.map((one) => {
    const part = parts.get(one.companyKey);
    assert(part !== undefined, `No ads of ${one.companyKey} were read.`);
    return evaluateCompany(one, companies.get(one.companyKey) ?? null, part, settings);
  });
  await writeResults(db, claimed, results);
  failpoint('evaluate:results-written');
  const writes = results.flatMap(({ write }) => (write === null ? [] : [write]));
  if (writes.length > 0) await writeTracked(db, scheduleId, writes);
  failpoint('evaluate:tracked-written');
  return results;
}

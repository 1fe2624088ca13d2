import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { EvaluatedScan, ScanEvaluator } from '../../../src/core/changes/scan-evaluator.ts';
import { applyObservation } from '../../../src/core/changes/apply-observation.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';
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
import { readTrackedStates, writeTracked, type TrackedWrite } from './tracked-states.ts';

/** Number of companies in memory at a time, with all their ads. */
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
    await keepObservations(db, place.batchId, signal);
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
  const keys = observations.map(({ companyKey }) => companyKey);
  const states = await readTrackedStates(db, claimed.scheduleId, keys);
  const results = observations.map((each) => ({
    ...each,
    tracked: applyObservation(states.get(each.companyKey) ?? null, each.observation, claimed.settings),
  }));
  await writeResults(db, claimed, results);
  failpoint('evaluate:results-written');
  const writes = results.flatMap(({ companyKey, tracked }) =>
    writeOf(companyKey, states.get(companyKey) ?? null, tracked.state),
  );
  if (writes.length > 0) await writeTracked(db, claimed.scheduleId, writes);
  failpoint('evaluate:tracked-written');
  return results;
}

/** Changed parts of a state; `applyObservation` returns unchanged parts as the same objects. */
function writeOf(
  companyKey: string,
  before: TrackedState | null,
  after: TrackedState | null,
): readonly TrackedWrite[] {
  if (after === null || after === before) return [];
  const ads = [...after.ads.values()].filter((ad) => before?.ads.get(ad.adId) !== ad);
  return [{ companyKey, company: after.company, ads }];
}

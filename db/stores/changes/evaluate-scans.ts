import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { failpoint } from '../../../src/core/failpoint.ts';
import type { EvaluatedScan, ScanEvaluator } from '../../../src/core/changes/scan-evaluator.ts';
import { trackLook } from '../../../src/core/changes/apply-observation.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';
import { withDatabase, type Sql } from '../../client.ts';
import { keepLooks } from './observations.ts';
import { readLooks, readNewestSeen, type CompanyLook } from './scan-observations.ts';
import { countChanges, makeScanNotice, noChanges, totalOf, type ChangeCount } from './scan-event.ts';
import { writeResults, type CompanyResult } from './scan-results.ts';
import { endTurn, listTurns, takeTurn, type ScanTurn, type TurnPlace } from './claim-evaluation.ts';
import { readTrackedStates, writeTracked, type TrackedWrite } from './tracked-states.ts';

/** Companies that are in memory at a time, with all their ads. */
const companiesPerPage = 100;
/** Scans that are tried for a turn: of those before, others are at it. */
const turnsTried = 20;

/** Evaluates scans as `ScanEvaluator` says. */
export function createScanEvaluator(db: NodePgDatabase): ScanEvaluator {
  return {
    evaluateNext: (signal) => withDatabase(() => evaluateNext(db, signal)),
  };
}

async function evaluateNext(db: NodePgDatabase, signal: AbortSignal): Promise<EvaluatedScan | null> {
  for (const place of await listTurns(db, turnsTried)) {
    await keepLooks(db, place.batchId, signal);
    failpoint('evaluate:looks-kept');
    const evaluated = await db.transaction((transaction) => evaluate(transaction, place, signal));
    if (evaluated === null) continue;
    failpoint('evaluate:committed');
    return evaluated;
  }
  return null;
}

async function evaluate(db: Sql, place: TurnPlace, signal: AbortSignal): Promise<EvaluatedScan | null> {
  const turn = await takeTurn(db, place);
  if (turn === null) return null;
  const count = await evaluateCompanies(db, turn, signal);
  await makeScanNotice(db, turn, count);
  failpoint('evaluate:notice-made');
  await endTurn(db, turn);
  failpoint('evaluate:turn-ended');
  return { publicId: turn.publicId, companies: count.companies, changes: totalOf(count) };
}

async function evaluateCompanies(db: Sql, turn: ScanTurn, signal: AbortSignal): Promise<ChangeCount> {
  const place = { ...turn, newestSeen: await readNewestSeen(db, turn.batchId) };
  let count = noChanges;
  for (let after: string | null = ''; after !== null;) {
    signal.throwIfAborted();
    const page = await readLooks(db, place, { after, limit: companiesPerPage });
    if (page.looks.length > 0) count = countChanges(count, await evaluatePage(db, turn, page.looks));
    after = page.next;
  }
  return count;
}

async function evaluatePage(
  db: Sql,
  turn: ScanTurn,
  looks: readonly CompanyLook[],
): Promise<readonly CompanyResult[]> {
  const keys = looks.map(({ companyKey }) => companyKey);
  const states = await readTrackedStates(db, turn.scheduleId, keys);
  const results = looks.map((each) => ({
    ...each,
    tracked: trackLook(states.get(each.companyKey) ?? null, each.look, turn.settings),
  }));
  await writeResults(db, turn, results);
  failpoint('evaluate:results-written');
  const writes = results.flatMap(({ companyKey, tracked }) =>
    writeOf(companyKey, states.get(companyKey) ?? null, tracked.state),
  );
  if (writes.length > 0) await writeTracked(db, turn.scheduleId, writes);
  failpoint('evaluate:tracked-written');
  return results;
}

/** What of it is to be written: `trackLook` leaves what did not change as it is. */
function writeOf(
  companyKey: string,
  before: TrackedState | null,
  after: TrackedState | null,
): readonly TrackedWrite[] {
  if (after === null || after === before) return [];
  const ads = [...after.ads.values()].filter((ad) => before?.ads.get(ad.adId) !== ad);
  return [{ companyKey, company: after.company, ads }];
}

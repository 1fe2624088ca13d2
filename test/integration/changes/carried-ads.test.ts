import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import { replaySchedules } from '../../../db/verify/replay/replay-schedules.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { randomHistories } from '../../support/scans/random-histories.ts';
import { openScenarioStore, type Query } from '../../support/scans/scenario-store.ts';
import { buildScenario, type Scenario } from '../../support/scans/scenario.ts';
import { steadyHistories } from '../../support/scans/steady-histories.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';

const schedules = { steady: 6, random: 2 };
const companiesEach = { minLength: 4, maxLength: 4 };

test('scans evaluated by what changed have the changes and states that follow from all answers', async () => {
  const database = await openTestDatabase();
  const seed = takeSeedNumber();
  const scenarios = [
    ...fc.sample(fc.array(steadyHistories, companiesEach), { seed, numRuns: schedules.steady }),
    ...fc.sample(fc.array(randomHistories({ retries: true }), companiesEach), {
      seed,
      numRuns: schedules.random,
    }),
  ].map((histories) => scanByScan(buildScenario(histories)));
  const store = await openScenarioStore(database, scenarios);
  const edits = fc.sample(fc.integer({ min: 1, max: 12 }), { seed, numRuns: store.rounds }).values();
  let untouched = 0;
  for (let round = 0; round < store.rounds; round++) {
    await store.storeRound(round);
    await store.query(shortenAnswers);
    const staleDays = edits.next().value;
    await store.query(
      `UPDATE nightshift.schedules SET stale_days = $1 WHERE id % 4 = $2`,
      staleDays,
      round % 4,
    );
    await store.query(loseAnswers, round % 4);
    await evaluateScans(createScanEvaluator(database.app.sql), new AbortController().signal);
    const { findings } = await database.app.sql.transaction((transaction) => replaySchedules(transaction));
    expect(findings, `Round ${round} of seed ${seed}`).toEqual([]);
    untouched += await countUntouched(store.query);
  }
  expect(untouched).toBeGreaterThan(500);
}, 300_000);

/** Some lookups have only the first ads of their answers, as with a maximum. */
const shortenAnswers = unguarded(
  'lookups',
  `UPDATE nightshift.lookups l SET ads_count = l.ads_count - 3 FROM nightshift.scans s
  WHERE s.batch_id = l.batch_id AND s.evaluated_at IS NULL AND l.answer_id IS NOT NULL AND l.ads_count > 4 AND l.id % 4 = 0`,
);

/** Some answers have been removed since the last scan. */
const loseAnswers = `UPDATE nightshift.tracked_companies SET seen_answer_id = 0
  WHERE seen_answer_id IS NOT NULL AND schedule_id % 4 = $1 AND company_key = 'd:c1.example'`;

/** The same answers in rounds of one scan. */
function scanByScan({ settings, rounds }: Scenario): Scenario {
  const split = rounds.flatMap((round) => {
    const scans = new Set(round.map(({ observation }) => observation.scan));
    return [...scans].map((scan) => round.filter(({ observation }) => observation.scan === scan));
  });
  return { settings, rounds: split };
}

/** Counts the ads that the last scan of their company has seen without writing their rows. */
async function countUntouched(query: Query): Promise<number> {
  const [row] = await query<{ ads: number }>(
    `SELECT count(*)::integer AS ads FROM nightshift.tracked_ad_rows r JOIN nightshift.tracked_companies c USING (schedule_id, company_key)
    WHERE r.last_scan_id IS NULL AND c.seen_answer_id IS NOT NULL AND r.xmin::text::bigint < c.xmin::text::bigint`,
  );
  return row?.ads ?? 0;
}

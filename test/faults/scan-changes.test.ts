import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { failpoints } from '../../src/core/failpoint.ts';
import { openTestDatabase } from '../support/db/database.ts';
import { randomRuns } from '../support/faults/random-runs.ts';
import { describeHistory, describeJudgement } from '../support/scans/describe-history.ts';
import { randomHistories } from '../support/scans/random-histories.ts';
import { readStored } from '../support/scans/read-stored.ts';
import { evaluateHistory } from '../support/scans/reference-model.ts';
import { openScenarioStore, type Query } from '../support/scans/scenario-store.ts';
import { observes, buildScenario, type Scenario } from '../support/scans/scenario.ts';
import { takeSeedNumber } from '../support/seed-number.ts';

const schedules = randomRuns(50, 10);
const companiesEach = 4;
const killsMin = randomRuns(40, 8);
const points = failpoints.evaluation;

test('two evaluators, killed between any two steps, match the reference model and report each change once', async () => {
  const database = await openTestDatabase();
  const seed = takeSeedNumber();
  const histories = fc.array(randomHistories({ retries: true }), {
    minLength: companiesEach,
    maxLength: companiesEach,
  });
  const scenarios = fc.sample(histories, { seed, numRuns: schedules }).map(buildScenario);
  const store = await openScenarioStore(database, scenarios);
  const crashesAfter = fc.sample(fc.integer({ min: 1, max: 130 }), { seed, numRuns: 10_000 }).values();
  // Each failpoint once, at its first occurrence; then after a number of failpoints of any kind.
  const due: Crash[] = points.map((at) => ({ at, after: 1 }));
  const killedAt: string[] = [];
  for (let round = 0; round < store.rounds; round++) {
    await store.storeRound(round);
    const keepEvaluating = async () => {
      while ((await store.countWaiting()) > 0) {
        const crash = due.shift() ?? { at: 'any', after: crashesAfter.next().value ?? 1 };
        const point = await evaluateUntil(database.url, crash);
        if (point !== null) killedAt.push(point);
        else if (crash.at !== 'any') due.push(crash);
      }
    };
    await Promise.all([keepEvaluating(), keepEvaluating()]);
  }
  expect(killedAt.length).toBeGreaterThanOrEqual(killsMin);
  expect([...new Set(killedAt)].sort()).toEqual(points.toSorted());
  await expectAsTheModel(store.query, scenarios);
  await expectReportedOnce(store.query);
});

const main = fileURLToPath(new URL('../support/scans/evaluate-main.ts', import.meta.url));

/** End of an evaluating process: it dies at the nth occurrence of this failpoint, or of any. */
interface Crash {
  readonly at: string;
  readonly after: number;
}

/** Returns the failpoint at which it was killed; null if it finished its work. */
async function evaluateUntil(url: string, { at, after }: Crash): Promise<string | null> {
  const child = spawn(process.execPath, ['--import', 'tsx', main, url, String(after), at], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let point = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (point += text));
  await once(child, 'close');
  if (child.signalCode === 'SIGKILL') return point;
  expect(child.exitCode).toBe(0);
  return null;
}

async function expectAsTheModel(query: Query, stories: readonly Scenario[]): Promise<void> {
  const stored = await readStored(query);
  const keys = stories.flatMap((_, no) => Array.from({ length: companiesEach }, (__, i) => `${no}/${i}`));
  for (const key of keys) {
    const [schedule = 0, company = 0] = key.split('/').map(Number);
    const scenario = stories[schedule];
    if (scenario === undefined) throw new Error(`There is no story ${schedule}.`);
    const { settings } = scenario;
    const observations = observes(company, scenario);
    const due = evaluateHistory(observations, settings);
    const reported = {
      ...due,
      observations: due.observations.filter(({ completeness }) => completeness !== null),
    };
    const actual = { changes: stored.changes[key] ?? [], observations: stored.observations[key] ?? [] };
    const payload = `Company ${key}${describeHistory({ settings, observations })}`;
    expect(describeJudgement(actual), payload).toEqual(describeJudgement(reported));
    expect(actual, payload).toEqual(reported);
    expect(stored.active[key] ?? 0, payload).toBe(due.observations.at(-1)?.adsActive ?? 0);
  }
  expect(Object.keys(stored.changes).filter((key) => !keys.includes(key))).toEqual([]);
}

/** Expects an event for each scan, another for each observed retry, and each change in exactly one of them. */
async function expectReportedOnce(query: Query): Promise<void> {
  const unreported = await query(
    `SELECT s.public_id FROM nightshift.scans s WHERE (SELECT count(*) FROM nightshift.events n
      WHERE n.event = 'scan.changes' AND n.subject = s.public_id) <> 1`,
  );
  expect(unreported).toEqual([]);
  const uneven = await query(
    `SELECT s.public_id, k.kind, t.told, c.stored FROM nightshift.scans s
    CROSS JOIN unnest(ARRAY['baseline', 'new', 'reactivated', 'ended', 'changed']) AS k(kind)
    CROSS JOIN LATERAL (SELECT sum((n.payload -> 'changes' ->> k.kind)::integer) AS told FROM nightshift.events n
      WHERE n.event = 'scan.changes' AND n.payload ->> 'scan' = s.public_id) t
    CROSS JOIN LATERAL (SELECT count(*) AS stored FROM nightshift.ad_changes c WHERE c.scan_id = s.id AND c.kind = k.kind) c
    WHERE t.told IS DISTINCT FROM c.stored`,
  );
  expect(uneven).toEqual([]);
  // The last event of a scan has its current completeness.
  const unlike = await query(
    `SELECT s.public_id, n.payload -> 'companies' AS told, c.stored FROM nightshift.scans s
    CROSS JOIN LATERAL (SELECT payload FROM nightshift.events WHERE event = 'scan.changes' AND payload ->> 'scan' = s.public_id
      ORDER BY id DESC LIMIT 1) n
    CROSS JOIN LATERAL (SELECT jsonb_object_agg(k.said, (SELECT count(*) FROM nightshift.scan_companies c
        WHERE c.scan_id = s.id AND c.completeness = k.said)) AS stored
      FROM unnest(ARRAY['complete', 'truncated', 'partial', 'unconfirmed_empty']) AS k(said)) c
    WHERE NOT n.payload -> 'companies' @> c.stored`,
  );
  expect(unlike).toEqual([]);
}

import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { listFindings } from '../support/db/findings.ts';
import { askedIn } from '../support/faults/batch-audit.ts';
import { temporaryFolder } from '../support/faults/loaded-batch.ts';
import { recordFigures } from '../support/faults/proof-figures.ts';
import { runsAll, runsFull } from '../support/faults/random-runs.ts';
import { accountIn } from '../support/faults/share-figures.ts';
import { loadAccounts, releaseBatches } from '../support/faults/shared-accounts.ts';
import { eachBackend } from '../support/queue/backends.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';

/** So slow that most lookups that workers begin find the line of the source full, and come back later. */
const requestsPerSecond = 0.75;
/** Calls after the first ones, for which not all accounts have been in line. */
const [callsBefore, calls] = runsAll ? [20, 100] : [15, 40];

const works = [
  { weight: 1, batches: 20, rows: 50 },
  { weight: 3, batches: 1, rows: 200 },
  { weight: 1, batches: 1, rows: 200 },
];

eachBackend((backend) => {
  test('accounts share a slow source by their weights, and the batches of an account take turns', async () => {
    const { database, environment } = await backend.open();
    const standIn = await spawnSourceStandIn({
      logFile: join(temporaryFolder(), 'calls.ndjson'),
      latencyMs: { min: 20, max: 200 },
    });
    onTestFinished(standIn.close);
    await loadAccounts(database, works);
    const worker = startNightshift(['work'], {
      ...environment,
      NIGHTSHIFT_UPSTREAM_URL: standIn.url,
      NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(requestsPerSecond),
      NIGHTSHIFT_UPSTREAM_BURST: '1',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    });
    await releaseBatches(database);
    const waitMs = (1000 * (callsBefore + calls)) / requestsPerSecond;
    await vi.waitUntil(() => standIn.readLog().length > callsBefore + calls, {
      timeout: 2 * waitMs + 60_000,
      interval: 200,
    });
    await worker.stop();

    const log = standIn.readLog();
    const counted = log.slice(callsBefore, callsBefore + calls);
    const callsOf = (account: number) => counted.filter((call) => accountIn(call) === account);
    const counts = works.map((_, account) => callsOf(account).length);
    const span = (log[callsBefore + calls]?.at ?? Infinity) - (log[callsBefore]?.at ?? 0);
    const paceUsed = (1000 * calls) / requestsPerSecond / span;
    recordFigures(`shares of a slow source, queue on ${backend.kind}`, {
      'calls of weights 1, 3 and 1': counts.join(', '),
      'pace used': `${(100 * paceUsed).toFixed(1)} %`,
    });
    const ofFirst = new Set(callsOf(0).map((call) => askedIn(call).split('-')[1]));
    const unfair = works.map(({ weight }, account) =>
      Math.abs((counts[account] ?? 0) - (calls * weight) / 5),
    );
    expect(Math.max(...unfair), counts.join(', ')).toBeLessThanOrEqual(2);
    // At worst one batch after the other has the four calls of a chunk, and the first one has had some before.
    expect(ofFirst.size, 'batches of the first account that were served').toBeGreaterThan(calls / 20);
    expect(paceUsed).toBeGreaterThanOrEqual(runsFull ? 0.97 : 0.85);
    expect(await listFindings(database)).toEqual([]);
  }, 600_000);
});

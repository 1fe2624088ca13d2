import { expect, onTestFinished, test, vi } from 'vitest';
import { eachBackend } from '../support/queue/backends.ts';
import { callsWithin, controlAtRandom } from '../support/faults/control-rounds.ts';
import { askedIn, expectedAnswer } from '../support/faults/batch-audit.ts';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { randomRuns } from '../support/faults/random-runs.ts';
import { takeSeed } from '../support/seed.ts';
import { openSourceStandIn } from '../support/stand-in/source-stand-in.ts';
import { numbersOf } from '../support/stand-in/stand-in-ads.ts';
import { batchControlsOver } from '../support/faults/steering.ts';
import { faultWaitMsMax } from '../support/wait-bound.ts';

const rounds = randomRuns(100);

eachBackend(({ open }) => {
  test('random pauses, resumes and cancellations leave no calls afterwards, and correct counts', async () => {
    const random = numbersOf(`steer|${takeSeed()}`);
    const source = await openSourceStandIn({ latencyMs: { min: 5, max: 60 }, idempotent: false });
    onTestFinished(() => source.close());
    const { database, environment } = await open();
    const steering = await batchControlsOver(database);
    for (let worker = 0; worker < 2; worker++) {
      startNightshift(['work'], {
        ...environment,
        NIGHTSHIFT_UPSTREAM_URL: source.url,
        NIGHTSHIFT_UPSTREAM_KEY: source.key,
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '40',
        // No worker dies here, and a slow one must not lose a call to its lease: such a call is in doubt.
        NIGHTSHIFT_LEASE_SECONDS: '60',
      });
    }
    const { quiet, batches } = await controlAtRandom({
      ...steering,
      rounds,
      random,
      countCalls: () => source.log.length,
    });
    expect(quiet.length).toBe(rounds);
    await vi.waitFor(
      async () => {
        const { state } = await steering.summary(batches.at(-1) ?? '');
        if (!['finished', 'cancelled'].includes(state)) throw new Error(`The last batch is ${state}.`);
      },
      { timeout: faultWaitMsMax, interval: 200 },
    );

    expect(source.log.length).toBeGreaterThan(rounds);
    expect(callsWithin(source.log, quiet)).toEqual([]);
    // Every answer of the source was stored and charged: no call was aborted or repeated.
    const asked = source.log.map(askedIn);
    expect(new Set(asked).size).toBe(asked.length);
    const summaries = await Promise.all(batches.map(steering.summary));
    const found = summaries.reduce((sum, { lookups }) => sum + lookups.found, 0);
    const none = summaries.reduce((sum, { lookups }) => sum + lookups.none, 0);
    const truths = asked.map((company) => expectedAnswer(company).outcome);
    expect(await steering.failures()).toEqual([]);
    expect({ found, none }).toEqual({
      found: truths.filter((outcome) => outcome === 'found').length,
      none: truths.filter((outcome) => outcome === 'none').length,
    });
    expect(await steering.findings()).toEqual([]);
  });
});

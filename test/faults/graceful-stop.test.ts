import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eachBackend } from '../support/queue/backends.ts';
import { companiesOf, listCompanies } from '../support/faults/listed-companies.ts';
import {
  askedIn,
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import { waitMsMax } from '../support/wait-bound.ts';
import { openBatchRun, temporaryFolder } from '../support/faults/loaded-batch.ts';
import { effectsByKey, openSourceStandIn } from '../support/stand-in/source-stand-in.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';

/** No lease expires during the test: remaining work must be released, not rescued. */
const leaseSeconds = 600;

eachBackend(({ open }) => {
  test('a stopped worker ends soon, and another one continues at once without repeated calls', async () => {
    const standIn = await spawnSourceStandIn({
      logFile: join(temporaryFolder(), 'calls.ndjson'),
      idempotent: false,
      latencyMs: { min: 20, max: 200 },
    });
    onTestFinished(standIn.close);
    const rows = listCompanies(400, 'graceful');
    const run = await openBatchRun(await open(), {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_LEASE_SECONDS: String(leaseSeconds),
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '100',
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'false',
      },
    });
    // At this rate, the first worker has more than three minutes of work left when it receives the signal.
    const first = run.startWorker({ NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '2' });
    await vi.waitUntil(() => standIn.readLog().length >= 10, { timeout: waitMsMax, interval: 50 });
    const stoppedAt = performance.now();
    const { exitCode } = await first.stop();
    expect(exitCode).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(90_000);
    expect(await run.readState()).toBe('running');

    run.startWorker();
    await run.untilFinished();
    const log = standIn.readLog();
    const companies = companiesOf(rows);
    expect(log.map(askedIn).sort()).toEqual([...companies].sort());
    expect([...effectsByKey(log).values()].every((count) => count === 1)).toBe(true);
    const answers = firstRows(run, await exportEveryRow(run));
    for (const [company, { ads_outcome }] of answers)
      expect(ads_outcome).toBe(expectedAnswer(company).outcome);
    await expectBalancedAccounts(run, companies.filter((company) => expectedAnswer(company).ads > 0).length);
  });

  test('a hanging call delays a stop by the grace period at most, and is not sent again', async () => {
    const rows = listCompanies(40, 'hanging');
    const companies = companiesOf(rows);
    const stuck = companies[5] ?? '';
    const standIn = await openSourceStandIn({ idempotent: false });
    onTestFinished(standIn.close);
    standIn.setBehaviour(({ company }) => (company === stuck ? { kind: 'hang' } : undefined));
    const run = await openBatchRun(await open(), {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_LEASE_SECONDS: String(leaseSeconds),
        NIGHTSHIFT_GRACE_SECONDS: '2',
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '100',
      },
    });
    const first = run.startWorker();
    await vi.waitUntil(() => standIn.log.length === companies.length, { timeout: waitMsMax, interval: 50 });
    const stoppedAt = performance.now();
    expect((await first.stop()).exitCode).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(25_000);

    run.startWorker();
    await run.untilFinished();
    expect(standIn.log).toHaveLength(companies.length);
    const answers = firstRows(run, await exportEveryRow(run));
    for (const [company, row] of answers) {
      const expected = company === stuck ? ['failed', 'in_doubt'] : [expectedAnswer(company).outcome, ''];
      expect([company, row.ads_outcome, row.ads_reason]).toEqual([company, ...expected]);
    }
    const finds = companies.filter((company) => company !== stuck && expectedAnswer(company).ads > 0);
    await expectBalancedAccounts(run, finds.length);
  });
});

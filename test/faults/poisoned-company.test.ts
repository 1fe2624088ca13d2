import { expect, onTestFinished, test } from 'vitest';
import { eachBackend } from '../support/queue/backends.ts';
import { companiesOf, listCompanies } from '../support/faults/listed-companies.ts';
import {
  askedIn,
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { openBatchRun } from '../support/faults/loaded-batch.ts';
import { openSourceStandIn } from '../support/stand-in/source-stand-in.ts';

/** Twice in the chunk shared with others, five times alone (docs/architecture/concepts.md). */
const deathsMax = 7;

eachBackend(({ open }) => {
  test('a company that kills its workers ends as dead_letter, alone', async () => {
    const rows = listCompanies(70, 'poisoned');
    const companies = companiesOf(rows);
    const poison = companies[9] ?? '';
    const standIn = await openSourceStandIn({ latencyMs: { min: 20, max: 200 } });
    onTestFinished(standIn.close);
    const run = await openBatchRun(await open(), {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_LEASE_SECONDS: '60',
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '100',
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      },
    });
    const workers: NightshiftProcess[] = [];
    // Leases end with their worker, and never before: a lapsed lease counts as a death.
    const startNext = async () => {
      await run.database.owner.pool.query(
        `UPDATE nightshift.chunks SET lease_until = now() - interval '1 s' WHERE state = 'running'`,
      );
      workers.push(run.startWorker());
    };
    // Simulates a defect in parsing an answer: the process dies when it handles this company.
    standIn.setBehaviour(({ company }) => {
      if (company !== poison) return undefined;
      void workers.at(-1)?.kill().then(startNext);
      return { kind: 'hang' };
    });
    await startNext();
    await run.untilFinished();

    expect(workers.length - 1).toBe(deathsMax);
    expect(standIn.log.filter((call) => askedIn(call) === poison)).toHaveLength(deathsMax);
    const answers = firstRows(run, await exportEveryRow(run));
    for (const [company, row] of answers) {
      const expected = company === poison ? ['failed', 'in_doubt'] : [expectedAnswer(company).outcome, ''];
      expect([company, row.ads_outcome, row.ads_reason]).toEqual([company, ...expected]);
    }
    const finds = companies.filter((company) => company !== poison && expectedAnswer(company).ads > 0);
    await expectBalancedAccounts(run, finds.length);
  });
});

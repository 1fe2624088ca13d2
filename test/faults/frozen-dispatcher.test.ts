import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eachBackend } from '../support/queue/backends.ts';
import type { TestDatabase } from '../support/db/database.ts';
import { companiesOf, listCompanies } from '../support/faults/listed-companies.ts';
import {
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import { openBatchRun } from '../support/faults/loaded-batch.ts';
import { openSourceStandIn } from '../support/stand-in/source-stand-in.ts';
import { waitMsMax } from '../support/wait-bound.ts';

eachBackend(({ open }) => {
  test('a frozen dispatcher does not block a batch', async () => {
    const standIn = await openSourceStandIn({ latencyMs: { min: 5, max: 20 } });
    onTestFinished(standIn.close);
    const rows = listCompanies(300, 'frozen');
    const run = await openBatchRun(await open(), {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_LEASE_SECONDS: '1',
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '50',
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      },
    });
    const frozen = run.startWorker();
    await vi.waitUntil(() => hasDispatched(run.database), { timeout: waitMsMax, interval: 20 });
    process.kill(frozen.pid, 'SIGSTOP');
    try {
      run.startWorker();
      await run.untilFinished();
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }

    const answers = firstRows(run, await exportEveryRow(run));
    for (const [company, { ads_outcome }] of answers)
      expect([company, ads_outcome]).toEqual([company, expectedAnswer(company).outcome]);
    await expectBalancedAccounts(
      run,
      companiesOf(rows).filter((company) => expectedAnswer(company).ads > 0).length,
    );
  });
});

async function hasDispatched({ owner }: TestDatabase): Promise<boolean> {
  const chunks = await owner.sql.execute(sql`SELECT FROM nightshift.chunks WHERE state = 'running' LIMIT 1`);
  return chunks.rows.length > 0;
}

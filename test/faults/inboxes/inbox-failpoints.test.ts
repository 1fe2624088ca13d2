import { expect, test, vi } from 'vitest';
import { failpoints, type Failpoint } from '../../../src/core/failpoint.ts';
import { eachBackend } from '../../support/queue/backends.ts';
import { useCrashingNightshift, whileLoading } from '../../support/crash/crashing-nightshift.ts';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { casesOn } from '../../support/faults/random-runs.ts';
import { expectedResult, openInboxRun } from '../../support/inboxes/inbox-run.ts';
import { openOwnDatabase } from '../../support/inboxes/own-database.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const crashing = useCrashingNightshift();

eachBackend(({ kind, open }) => {
  test.each(casesOn(kind, [...failpoints.inbox, ...whileLoading]))(
    'every file of an inbox becomes one batch or fails once after a kill at %s',
    async (point) => {
      const run = await openInboxRun(await open());
      run.writeFiles();
      const crashed = await crashing.run(['work'], {
        environment: run.environment,
        folder: temporaryFolder(),
        point,
      });
      expect(crashed.signal, crashed.stderr).toBe('SIGKILL');

      const workers = [1, 2].map(() => startNightshift(['work'], run.environment));
      await run.untilSettled(4, faultWaitMsMax);
      await Promise.all(workers.map((worker) => worker.stop()));
      expect(await run.readResult()).toEqual(expectedResult);
    },
  );

  const whileReading: readonly Failpoint[] = ['inbox:claimed', 'inbox:linked', 'inbox:file-loaded'];

  test.each(casesOn(kind, [...failpoints.rows, ...whileReading, ...whileLoading]))(
    'every row of a query is in one batch after a kill at %s, also those that arrive later',
    async (point) => {
      const own = await openOwnDatabase();
      const query = 'SELECT id, domain FROM crm.accounts';
      const terms = { location: own.location, query, newerBy: 'id' };
      const run = await openInboxRun(await open(), terms, own);
      await own.insert(1, 3);
      const crashed = await crashing.run(['work'], {
        environment: run.environment,
        folder: temporaryFolder(),
        point,
      });
      expect(crashed.signal, crashed.stderr).toBe('SIGKILL');

      await own.insert(4, 5);
      const worker = startNightshift(['work'], run.environment);
      await vi.waitFor(async () => expect(await run.loadedRows()).toEqual([1, 2, 3, 4, 5]), {
        timeout: faultWaitMsMax,
        interval: 200,
      });
      await worker.stop();
      expect(await run.findings()).toEqual([]);
    },
  );
});

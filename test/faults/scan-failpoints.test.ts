import { expect, test } from 'vitest';
import { failpoints } from '../../src/core/failpoint.ts';
import { eachBackend } from '../support/queue/backends.ts';
import { useCrashingNightshift, whileLoading } from '../support/crash/crashing-nightshift.ts';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { temporaryFolder } from '../support/faults/loaded-batch.ts';
import { casesOn } from '../support/faults/random-runs.ts';
import { expectedResult, openScanRun } from '../support/scans/scan-run.ts';
import { faultWaitMsMax } from '../support/wait-bound.ts';

const crashing = useCrashingNightshift();

eachBackend(({ kind, open }) => {
  test.each(casesOn(kind, [...failpoints.scan, ...whileLoading]))(
    'a tick makes one complete scan and batch after a kill at %s',
    async (point) => {
      const scanRun = await openScanRun(await open(), 2);
      await scanRun.makeDue();
      const crashed = await crashing.run(['work'], {
        environment: scanRun.environment,
        folder: temporaryFolder(),
        point,
      });
      expect(crashed.signal, crashed.stderr).toBe('SIGKILL');

      const workers = [1, 2].map(() => startNightshift(['work'], scanRun.environment));
      await scanRun.untilScansEnd(faultWaitMsMax);
      await Promise.all(workers.map((worker) => worker.stop()));
      expect(await scanRun.readResult()).toEqual(expectedResult(2));
    },
  );
});

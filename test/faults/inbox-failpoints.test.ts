import { afterAll, beforeAll, expect, test } from 'vitest';
import { failpoints, type Failpoint } from '../../src/core/failpoint.ts';
import { eachBackend } from '../support/queue/backends.ts';
import { buildCrashingNightshift, type CrashingNightshift } from '../support/crash/crashing-nightshift.ts';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { temporaryFolder } from '../support/faults/loaded-batch.ts';
import { expectedResult, openInboxRun } from '../support/inboxes/inbox-run.ts';

/** Failpoints of loading, which a file of an inbox passes as well. */
const whileLoading: readonly Failpoint[] = ['load:batch-opened', 'load:rows-stored', 'load:finished'];

let crashing: CrashingNightshift;
beforeAll(() => {
  crashing = buildCrashingNightshift();
});
afterAll(() => crashing.close());

eachBackend(({ open }) => {
  test.each([...failpoints.inbox, ...whileLoading])(
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
      await run.untilSettled(4, 60_000);
      await Promise.all(workers.map((worker) => worker.stop()));
      expect(await run.readResult()).toEqual(expectedResult);
    },
  );
});

import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { eachBackend } from '../../support/queue/backends.ts';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import { openInboxRun } from '../../support/inboxes/inbox-run.ts';
import { growFiles, manyFiles, writeManyFiles } from '../../support/inboxes/many-files.ts';
import { randomRuns, runsAll } from '../../support/faults/random-runs.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const kills = randomRuns(50);
const files = manyFiles(runsAll ? 1 : 1 / 5);

eachBackend(({ open }) => {
  test('processes that are killed again and again load every content of a folder once', async () => {
    const run = await openInboxRun(await open(), { settleMs: 3_000 });
    writeManyFiles(run, files);
    let worker = startNightshift(['work'], run.environment);
    const other = startNightshift(['work'], run.environment);
    onTestFinished(() => Promise.all([worker.kill(), other.kill()]).then(() => undefined));
    for (let kill = 1; kill <= kills; kill += 1) {
      await wait(500 + Math.random() * 2000);
      growFiles(run, files, kill);
      await worker.kill();
      worker = startNightshift(['work'], run.environment);
    }
    const total = files.good + files.bad + files.growing + files.copies;
    await run.untilSettled(total, faultWaitMsMax);
    await Promise.all([worker.stop(), other.stop()]);

    const { states, paths, batches, events, findings } = await run.readResult();
    const count = (state: string) => states.filter((file) => file.includes(`: ${state} at `)).length;
    const settled = ['loaded', 'joined', 'failed', 'ignored'].map((state) => [state, count(state)]);
    expect(Object.fromEntries(settled)).toEqual({
      loaded: files.good + files.growing,
      joined: files.copies,
      failed: files.bad,
      ignored: 0,
    });
    expect(batches).toHaveLength(files.good + files.growing);
    expect(paths).toHaveLength(total + files.bad);
    expect(new Set(events).size).toBe(files.bad);
    expect(events).toHaveLength(files.bad);
    const grown = (await run.app.batches.store.listSummaries(run.accountId, 1000)).filter(({ fileName }) =>
      fileName.startsWith('growing'),
    );
    expect(grown.map(({ rows }) => rows.total)).toEqual(Array(files.growing).fill(2 + kills));
    expect(findings).toEqual([]);
  });
});

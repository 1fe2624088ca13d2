import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../src/app/app.ts';
import { runWorkers } from '../../src/cli/process/run-workers.ts';
import type { Scan, ScanResult } from '../../src/core/schedules/schedule.ts';
import { peakRssMb, timed } from '../support/figures.ts';
import type { ScanTaskResult, Task } from './tasks.ts';

const pollMs = 20;

/** Scans a schedule like `nightshift schedule run`, beside workers that run already, until its changes are known. */
export async function scan(app: App, { schedule }: Extract<Task, { kind: 'scan' }>): Promise<ScanTaskResult> {
  const {
    accounts: { defaultId },
    schedules: { store, fire },
  } = app;
  const { publicId } = await store.read(defaultId, schedule);
  const running = await runWorkers(app);
  try {
    const { seconds, value } = await timed(async () => {
      const requested = await store.run(defaultId, publicId);
      await fire(publicId);
      return { ...requested, changes: await untilEvaluated(app, requested) };
    });
    const [{ dueAt, finishedAt } = value] = await store.listScans(defaultId, publicId, 1);
    const lookedUp = ((finishedAt?.getTime() ?? Number.NaN) - dueAt.getTime()) / 1000;
    return {
      scanId: String(value.scanId),
      changes: value.changes,
      seconds,
      lookedUp,
      peakRssMb: peakRssMb(),
    };
  } finally {
    await running.close();
  }
}

/** Waits until a scan is evaluated, and returns the changes that it found. */
async function untilEvaluated(
  { accounts: { defaultId }, schedules: { store } }: App,
  { scanId }: Pick<Scan, 'scanId'>,
): Promise<ScanResult['changes']> {
  for (;;) {
    const result: ScanResult | undefined = (await store.readResults(defaultId, [scanId])).get(scanId);
    if (result !== undefined && result.evaluatedAt !== null) return result.changes;
    await sleep(pollMs);
  }
}

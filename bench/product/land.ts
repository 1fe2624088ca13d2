import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../src/app/app.ts';
import { parseLocation } from '../../src/core/storage/location.ts';
import { exportBatch } from '../../src/reporter/export/export-batch.ts';
import { timed } from '../support/figures.ts';
import type { OutputResult, Task } from './tasks.ts';

/** Exports a batch to a local Parquet file like `nightshift export`. */
export async function exportLocally(
  app: App,
  { batch: publicId, target }: Extract<Task, { kind: 'export' }>,
): Promise<OutputResult> {
  const { accounts, batches } = app;
  const batch = await batches.store.readSummary(accounts.defaultId, publicId);
  const { seconds, value } = await timed(() =>
    exportBatch(batches.reportStore, {
      batch,
      format: 'parquet',
      shape: 'rows',
      raw: false,
      target,
      createdAt: new Date(),
    }),
  );
  return { seconds, rows: value.lines };
}

/** Lands a batch in a bucket as `nightshift up` does. */
export async function land(
  app: App,
  { batch, bucket, endpoint, key }: Extract<Task, { kind: 'land' }>,
): Promise<OutputResult> {
  const {
    accounts: { defaultId },
    destinations: { service, startLanding },
  } = app;
  const { name } = await service.create(
    defaultId,
    {
      name: `bench-${Date.now()}`,
      scope: { kind: 'batch', batch },
      location: parseLocation(`s3://${bucket}`, { endpoint }),
      credentials: key,
      isOfAccount: false,
    },
    { actor: 'bench', address: null },
    { signal: new AbortController().signal },
  );
  const { seconds, value } = await timed(async () => {
    const runner = startLanding();
    const rows = await untilLanded(app, name);
    await runner.close(0);
    return rows;
  });
  return { seconds, rows: value };
}

const pollMs = 20;

async function untilLanded({ accounts, destinations }: App, name: string): Promise<number> {
  for (;;) {
    const page = { limit: 1, before: null, state: null, batch: null };
    const [landing] = (await destinations.service.listLandings(accounts.defaultId, name, page)) ?? [];
    if (landing?.state === 'landed') return landing.rows ?? 0;
    if (landing?.lastError != null) throw new Error(`The landing failed: ${landing.lastError}`);
    await sleep(pollMs);
  }
}

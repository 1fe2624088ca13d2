import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Closers } from '../../src/closers.ts';
import { runCommand } from '../product/command.ts';
import { startWorker } from '../product/worker.ts';
import { withClient } from '../support/bench-server.ts';
import type { CountingSource } from './source.ts';

/** Servers of the product: the private server of a home, and the Redis of the queue, if any. */
export interface PacedPlace {
  readonly home: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
}

export interface PacedWork {
  readonly source: CountingSource;
  /** Keeps the companies distinct from those of other runs. */
  readonly name: string;
  readonly lookups: number;
  readonly workers: number;
}

const runMsMax = 120_000;

/** Loads a batch, lets this many workers look up its companies, and ends them when the batch is finished. */
export async function workThrough(place: PacedPlace, work: PacedWork, closers: Closers): Promise<void> {
  const settings = settingsOf(place, work);
  const file = `${place.home}/${work.name}.csv`;
  const companies = Array.from({ length: work.lookups }, (_, n) => `${work.name}-${n}.com`);
  writeFileSync(file, ['domain', ...companies, ''].join('\n'));
  const { answer } = await runCommand(['load', file, '--source', 'upstream'], place.home, closers, settings);
  const { id: batch } = loaded.parse(answer);
  const workers = Array.from({ length: work.workers }, () => startWorker(place.home, settings, closers));
  try {
    await Promise.race([untilFinished(place.databaseUrl, batch), ...workers.map(({ died }) => died)]);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

const loaded = z.object({ id: z.string() });

function settingsOf({ redisUrl }: PacedPlace, { source, name }: PacedWork): Readonly<Record<string, string>> {
  return {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(source.limit.requestsPerSecond),
    NIGHTSHIFT_UPSTREAM_BURST: String(source.limit.burst),
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: `{${name}}` }),
  };
}

/** @throws Error when the batch takes longer than two minutes. */
async function untilFinished(url: string, batch: string): Promise<void> {
  const untilMs = performance.now() + runMsMax;
  await withClient(url, async (client) => {
    for (;;) {
      const found = await client.query<{ state: string }>(
        'SELECT state FROM nightshift.batches WHERE public_id = $1',
        [batch],
      );
      const state = found.rows[0]?.state;
      if (state === 'finished') return;
      if (performance.now() > untilMs)
        throw new Error(`After two minutes the batch is ${state ?? 'missing'}.`);
      await wait(100);
    }
  });
}

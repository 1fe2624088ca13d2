import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import { cancelBatch, pauseBatch } from '../../../src/core/batches/batch-control.ts';
import { noBounds } from '../../../src/core/batches/batch.ts';
import { sleep } from '../../../src/core/async/wait.ts';
import { loadBatch } from '../../../src/producer/load/load-batch.ts';
import { streamOf } from '../csv/company-files.ts';
import type { StandInCall } from '../stand-in/source-stand-in.ts';
import { faultWaitMsMax } from '../wait-bound.ts';
import type { openBatchControls } from './steering.ts';

type BatchControls = Awaited<ReturnType<typeof openBatchControls>>;

/** An interval without calls of the source; milliseconds since 1970. */
export interface QuietTime {
  readonly fromMs: number;
  readonly toMs: number;
  readonly after: string;
}

/** Time for which the source is observed after each command, at least one and a half calls. */
const watchMs = 100;
const companiesPerList = 60;

export interface RoundsOptions extends BatchControls {
  readonly rounds: number;
  /** Returns a number from 0 up to the bound, exclusive. */
  readonly random: (bound: number) => number;
  /** Returns the number of calls so far. Each round has at least one. */
  readonly countCalls: () => number;
}

/**
 * Pauses, resumes and cancels batches at random moments while workers process them; loads a new batch after each finished one.
 * Returns the intervals in which no call was allowed, and the batches.
 */
export async function controlAtRandom(options: RoundsOptions) {
  const { rounds, random, control, accountId, summary, countCalls } = options;
  const quiet: QuietTime[] = [];
  const batches: string[] = [];
  const steering = { control, sleep, signal: new AbortController().signal, onWaiting: () => undefined };
  let publicId = '';
  let calls = countCalls();
  while (quiet.length < rounds) {
    if (publicId === '' || (await isOver(options, publicId))) {
      publicId = await loadList(options, batches.length);
      batches.push(publicId);
    }
    await vi.waitUntil(async () => countCalls() > calls || (await isOver(options, publicId)), {
      timeout: faultWaitMsMax,
      interval: 10,
    });
    calls = countCalls();
    // Not an event to wait for: the moment must be random. A batch that has finished by then does not count as a round.
    await wait(random(250));
    if (await isOver(options, publicId)) continue;
    const move = random(5) === 0 ? 'cancel' : 'pause';
    await (move === 'pause' ? pauseBatch : cancelBatch)(steering, { accountId, publicId }).catch(
      ignoreIfOver,
    );
    const fromMs = performance.timeOrigin + performance.now();
    await expectAtRest(options, publicId);
    await wait(watchMs);
    quiet.push({
      fromMs,
      toMs: performance.timeOrigin + performance.now(),
      after: `${move} in round ${quiet.length + 1}`,
    });
    if ((await summary(publicId)).state === 'paused') await control.resume(accountId, publicId, {});
  }
  return { quiet, batches };
}

/** The last lookup may end between the query and the command. */
function ignoreIfOver(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('it is over')) throw error;
}

async function isOver({ summary }: BatchControls, publicId: string): Promise<boolean> {
  return ['finished', 'cancelled'].includes((await summary(publicId)).state);
}

async function loadList({ batches, accountId }: BatchControls, number: number): Promise<string> {
  const rows = Array.from({ length: companiesPerList }, (_, i) => `steered-${number}-${i}.com`);
  const { publicId } = await loadBatch(batches, {
    accountId,
    open: () => streamOf(`domain\n${rows.join('\n')}\n`, 1000),
    reading: { fileName: `steered-${number}.csv` },
    sources: async () => ['upstream'],
    search: anySearch,
    bounds: noBounds,
    again: false,
    onProgress: () => undefined,
  });
  return publicId;
}

/** Checks state and counts, and that no credits are held. */
async function expectAtRest({ summary, balance, failures }: BatchControls, publicId: string): Promise<void> {
  const { state, lookups, chargedMicro } = await summary(publicId);
  expect(['paused', 'cancelled', 'finished']).toContain(state);
  const { found, none, no_match: noMatch, failed, cancelled, open, total } = lookups;
  expect(found + none + noMatch + failed + cancelled + open).toBe(total);
  expect(await failures()).toEqual([]);
  expect([noMatch, failed]).toEqual([0, 0]);
  if (state === 'cancelled') expect(open).toBe(0);
  else expect(cancelled).toBe(0);
  expect(chargedMicro).toBe(200_000n * BigInt(found));
  expect((await balance()).heldMicro).toBe(0n);
}

/** Calls that arrived within a quiet interval. */
export function callsWithin(log: readonly StandInCall[], quiet: readonly QuietTime[]): readonly string[] {
  return quiet.flatMap(({ fromMs, toMs, after }) =>
    log
      .filter(({ at }) => at > fromMs && at < toMs)
      .map(({ at }) => `${JSON.stringify(at - fromMs)} ms after ${after}`),
  );
}

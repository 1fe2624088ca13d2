import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccountService } from '../../db/stores/accounts/account-service.ts';
import { createKeyStore } from '../../db/stores/accounts/api-keys.ts';
import { request } from '../support/api/test-api.ts';
import { startNightshift, type Environment } from '../support/cli/nightshift-process.ts';
import { listFindings } from '../support/db/findings.ts';
import type { TestDatabase } from '../support/db/database.ts';
import { loadFixtureBatch } from '../support/db/fixture.ts';
import { askedIn } from '../support/faults/batch-audit.ts';
import { temporaryFolder } from '../support/faults/loaded-batch.ts';
import { recordFigures } from '../support/faults/proof-figures.ts';
import { runsAll, runsFull } from '../support/faults/random-runs.ts';
import {
  companyOfAccount,
  countOthers,
  fairWindows,
  shareFigures,
  type ShareFigures,
  type SharedSource,
} from '../support/faults/share-figures.ts';
import {
  loadAccounts,
  openAccount,
  releaseBatches,
  type AccountWork,
} from '../support/faults/shared-accounts.ts';
import { eachBackend } from '../support/queue/backends.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';

/** The size of the promise, which takes half an hour to load and run. */
const isFull = runsFull;
const requestsPerSecond = 50;
const burst = 10;
const workers = 2;
const by = { actor: 'test', address: null };

interface Size {
  readonly accounts: number;
  readonly batchesOfFirst: number;
  readonly rowsOfFirst: number;
  readonly lookups: number;
  readonly windowMs: number;
}

const size: Size = isFull
  ? { accounts: 100, batchesOfFirst: 1000, rowsOfFirst: 1000, lookups: 100, windowMs: 60_000 }
  : { accounts: 20, batchesOfFirst: 30, rowsOfFirst: 100, lookups: runsAll ? 120 : 60, windowMs: 12_000 };

/** Bounds that do not depend on the speed of the machine. Seconds even out less than minutes do. */
const jainOfCallsMin = isFull ? 0.99 : 0.95;
const slowestInCallsMax = isFull ? 1.1 : 1.25;

/** Maximum latency of a search. */
const searchMsMax = 2000;

eachBackend((backend) => {
  test(
    'an account with many batches gets the calls of one account, and a single search does not wait for them',
    async () => {
      const { database, environment } = await backend.open();
      const standIn = await spawnSourceStandIn({
        logFile: join(temporaryFolder(), 'calls.ndjson'),
        latencyMs: { min: 20, max: 200 },
        rateLimit: { requestsPerSecond, burst },
      });
      onTestFinished(standIn.close);
      const weights = Array.from({ length: size.accounts }, (_, n) => (n === 1 ? 3 : 1));
      await loadAccounts(database, worksOf(weights));
      const key = await openSearcher(database);
      const settings = {
        ...environment,
        NIGHTSHIFT_UPSTREAM_URL: standIn.url,
        NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(requestsPerSecond),
        NIGHTSHIFT_UPSTREAM_BURST: String(burst),
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      };
      const url = await startServer(settings);
      const pool = Array.from({ length: workers }, () => startNightshift(['work'], settings));
      await warmUp(database, { url, key });
      await releaseBatches(database);
      await vi.waitUntil(() => standIn.readLog().length > 5, { timeout: 60_000, interval: 100 });
      const latenciesMs = await searchUntilOthersEnd(database, { url, key });
      await Promise.all(pool.map((worker) => worker.stop()));

      const source: SharedSource = { ...size, requestsPerSecond, weights };
      const figures = shareFigures(standIn.readLog(), source);
      report(backend.kind, figures, latenciesMs);
      const own = weights.slice(1).reduce((total, weight) => total + size.lookups * weight, 0);
      expect(countOthers(standIn.readLog()), 'companies of the others').toBe(own);
      expect(figures.jainOfCalls.length).toBeGreaterThanOrEqual(fairWindows(source));
      expect(Math.min(...figures.jainOfCalls)).toBeGreaterThanOrEqual(jainOfCallsMin);
      expect(figures.slowestInCalls).toBeLessThanOrEqual(slowestInCallsMax);
      if (isFull) {
        expect(figures.jain.length).toBeGreaterThanOrEqual(fairWindows(source));
        expect(Math.min(...figures.jain)).toBeGreaterThanOrEqual(0.99);
        expect(figures.slowest).toBeLessThanOrEqual(1.1);
        expect(figures.paceUsed).toBeGreaterThanOrEqual(0.97);
      }
      expect(Math.max(...latenciesMs)).toBeLessThanOrEqual(searchMsMax);
      expect(standIn.readLog().filter(({ status }) => status !== 200)).toEqual([]);
      expect(await listFindings(database)).toEqual([]);
    },
    isFull ? 3_600_000 : 600_000,
  );
});

eachBackend((backend) => {
  test('an account keeps its limits at a source, and others do not wait for it', async () => {
    const { database, environment } = await backend.open();
    const standIn = await spawnSourceStandIn({
      logFile: join(temporaryFolder(), 'calls.ndjson'),
      latencyMs: { min: 300, max: 300 },
    });
    onTestFinished(standIn.close);
    const callsPerDay = 30;
    for (const [account, rows] of [200, 100].entries()) {
      const accountId = await openAccount(database, `account-${account}`);
      const companies = Array.from({ length: rows }, (_, row) => companyOfAccount(account, 0, row));
      const fileName = `${account}.csv`;
      await loadFixtureBatch(database.app, accountId, { fileName, companies, withOddRows: false });
    }
    const atSources = new Map([['upstream', { concurrency: 2, callsPerDay }]]);
    await createAccountService(database.app.sql).setLimits('account-0', { atSources }, by);
    const worker = startNightshift(['work'], {
      ...environment,
      NIGHTSHIFT_UPSTREAM_URL: standIn.url,
      NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '100',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    });
    await vi.waitFor(async () => expect(await readStates(database)).toEqual(limitedStates), {
      timeout: 120_000,
      interval: 200,
    });
    await worker.stop();

    const log = standIn.readLog();
    const limited = log.filter((call) => askedIn(call).startsWith('a0-'));
    expect(limited).toHaveLength(callsPerDay);
    expect(
      mostAtOnce(
        limited.map(({ at }) => at),
        300,
      ),
    ).toBeLessThanOrEqual(2);
    const lastOfOther = log.findLast((call) => askedIn(call).startsWith('a1-'))?.at ?? Infinity;
    // 30 calls, two at a time, take 4.5 seconds. The other account has 100 calls with a hundred a second.
    expect(lastOfOther).toBeLessThan(limited.at(-1)?.at ?? 0);
    expect(await listFindings(database)).toEqual([]);
  });
});

const limitedStates = [
  { state: 'waiting_for_source', wait_cause: 'account_day_calls', wait_bound: '30 calls' },
  { state: 'finished', wait_cause: null, wait_bound: null },
];

async function readStates({ app }: TestDatabase): Promise<readonly object[]> {
  const { rows } = await app.pool.query<object>(
    'SELECT state, wait_cause, wait_bound FROM nightshift.batches ORDER BY id',
  );
  return rows;
}

/** Maximum number of calls that run at a moment, each for this long at least. */
function mostAtOnce(startsMs: readonly number[], forMs: number): number {
  return Math.max(
    ...startsMs.map((at) => startsMs.filter((other) => other > at - forMs && other <= at).length),
  );
}

/** The second account has three times the work of the others, and the weight for it. */
function worksOf(weights: readonly number[]): readonly AccountWork[] {
  return weights.map((weight, account) => ({
    weight,
    batches: account === 0 ? size.batchesOfFirst : 1,
    rows: account === 0 ? size.rowsOfFirst : size.lookups * weight,
  }));
}

/** Uses server and workers once: the first calls of a process load its code. */
async function warmUp(database: TestDatabase, server: Searcher): Promise<void> {
  const accountId = await openAccount(database, 'warm-up');
  const companies = Array.from({ length: 200 }, (_, n) => `warm-${n}.com`);
  await loadFixtureBatch(database.app, accountId, { fileName: 'warm-up.csv', companies, withOddRows: false });
  await searchUntilOthersEnd(database, server);
}

/** Returns the key of an account that only searches. */
async function openSearcher(database: TestDatabase): Promise<string> {
  const accountId = await openAccount(database, 'searcher');
  const key = { name: 'searches', scopes: ['ads:search'] as const, expiresAt: null };
  return (await createKeyStore(database.app.sql).create(accountId, key, by)).key;
}

async function startServer(settings: Environment): Promise<string> {
  const running = startNightshift(['serve'], { ...settings, PORT: '0' });
  await running.waitForOutput('Press Ctrl-C to stop');
  const url = /Console +(\S+)/.exec(running.stderr())?.[1];
  if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
  return url;
}

/** Server that answers searches, and the key for them. */
interface Searcher {
  readonly url: string;
  readonly key: string;
}

/** Sends one search after the other until no account but the first has a batch that runs. Returns the latencies in milliseconds. */
async function searchUntilOthersEnd(
  database: TestDatabase,
  { url, key }: Searcher,
): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  while (await areOthersOpen(database)) {
    const json = { company_domain: `search-${randomUUID()}.com` };
    const askedMs = performance.now();
    const answer = await request(`${url}/v1/ads/google-ads-search`, 'POST', { key, json });
    latenciesMs.push(performance.now() - askedMs);
    expect(answer.status, answer.text).toBe(200);
    await sleep(2000);
  }
  return latenciesMs;
}

async function areOthersOpen({ app }: TestDatabase): Promise<boolean> {
  const { rows } = await app.pool.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT FROM nightshift.batches b JOIN nightshift.accounts a ON a.id = b.account_id
      WHERE a.name <> 'account-0' AND b.state = 'running') AS open`,
  );
  return rows[0]?.open === true;
}

function report(queue: string, figures: ShareFigures, latenciesMs: readonly number[]): void {
  const { jain, jainOfCalls, slowest, slowestInCalls, paceUsed } = figures;
  const least = (indices: readonly number[]) => `${Math.min(...indices).toFixed(4)} (${indices.length})`;
  recordFigures(`shares of ${size.accounts} accounts, queue on ${queue}`, {
    [`least index of Jain in windows of ${size.windowMs / 1000} s`]: least(jain),
    'in windows of as many calls': least(jainOfCalls),
    'slowest account, of its fair time': slowest.toFixed(3),
    'in calls': slowestInCalls.toFixed(3),
    'pace used': `${(100 * paceUsed).toFixed(1)} %`,
    [`slowest of ${latenciesMs.length} searches`]: `${Math.max(...latenciesMs).toFixed(0)} ms`,
  });
}

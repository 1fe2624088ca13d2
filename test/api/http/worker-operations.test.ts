import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApiKey } from '../../../src/core/accounts/api-key.ts';
import { codesOf, request, type ProblemBody } from '../../support/api/test-api.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';
import type { Environment, NightshiftProcess } from '../../support/cli/nightshift-process.ts';
import { readMetrics, type Metrics } from '../../support/openapi/metric-text.ts';
import { exchange } from '../../support/openapi/raw-exchange.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const ads = generateAds('acme.com', 4).slice(0, 3);
const withPort = { NIGHTSHIFT_METRICS_PORT: '0' };
const ready = { ready: true, database: 'ok', migrations: 'ok', queue: 'ok', dispatcher: 'ok' };

describe('`nightshift work` with NIGHTSHIFT_METRICS_PORT', () => {
  test('exposes outcomes, latency and results of its source on /metrics', async () => {
    const { api } = await openWorkerPool();
    api.write('list.csv', 'domain\nacme.com\nglobex.com\nsilent.com\nstranger.com\n');
    await api.ask(['load', 'list.csv']);
    const { url } = await startWork(api, withPort);
    const shown = await vi.waitUntil(
      async () => {
        const now = await metrics(url);
        return now.value('nightshift_lookups_open') === 0 && now;
      },
      { timeout: waitMsMax },
    );
    const outcomes = ['found', 'none', 'no_match', 'failed'];
    expect(outcomes.map((outcome) => shown.value('nightshift_lookups', { outcome }))).toEqual([2, 1, 1, 0]);
    const answers = ['found', 'none', 'no_match'];
    expect(
      answers.map((answer) => shown.value('nightshift_source_answers', { source: 'upstream', answer })),
    ).toEqual([2, 1, 1]);
    for (const quantile of ['0.5', '0.99'])
      expect(shown.value('nightshift_source_seconds', { source: 'upstream', quantile })).toBeGreaterThan(0);
    expect(shown.value('nightshift_credits_charged')).toBe(0.4);
    expect(shown.value('nightshift_credits_held', { account: 'default' })).toBe(0);
    // Metrics of the process.
    expect(shown.value('nightshift_process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  test('becomes unready on SIGTERM, answers until its work has ended, and exits with code 0', async () => {
    const { api, source } = await openWorkerPool(6000);
    api.write('list.csv', 'domain\nacme.com\n');
    await api.ask(['load', 'list.csv']);
    const { url, running } = await startWork(api, withPort);
    await vi.waitUntil(() => source.log.length === 1, { timeout: waitMsMax });
    const ended = running.stop();
    await running.waitForOutput('Stopping.');
    const readyz = await request(`${url}/readyz`, 'GET');
    expect([readyz.status, readyz.json()]).toEqual([503, { ...ready, ready: false }]);
    expect((await request(`${url}/livez`, 'GET')).status).toBe(200);
    expect((await metrics(url)).value('nightshift_lookups_open')).toBe(1);
    expect((await ended).exitCode).toBe(0);
    await expect(request(`${url}/livez`, 'GET')).rejects.toThrow();
    expect(await api.ask(['status', '--json'])).toMatchObject({ batches: [{ state: 'finished' }] });
  });

  test('exits at once if the port is taken, with the name of the setting, and starts no work', async () => {
    const { api } = await openWorkerPool();
    const taken = await listenOnLoopback(createServer());
    onTestFinished(taken.close);
    const { port } = new URL(taken.url);
    const { exitCode, stderr } = await api.run(['work'], { environment: { NIGHTSHIFT_METRICS_PORT: port } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`127.0.0.1:${port} is already in use`);
    expect(stderr).toContain('set NIGHTSHIFT_METRICS_PORT to another port');
    expect(stderr).not.toContain('Workers are running.');
  });
});

describe('HTTP endpoints of a worker', () => {
  let workerPool: WorkerPool;
  let url: string;
  let key: string;

  beforeAll(async () => {
    workerPool = await makeWorkerPool();
    ({ key } = (await workerPool.api.ask(['keys', 'create'])) as { key: string });
    ({ url } = await startWork(workerPool.api, { ...withPort, NIGHTSHIFT_TRUST_PROXY: 'true' }));
  });
  afterAll(() => workerPool.close());

  test('/livez and /readyz return its state without a key', async () => {
    const [livez, readyz] = [await request(`${url}/livez`, 'GET'), await request(`${url}/readyz`, 'GET')];
    expect([livez.status, livez.text]).toEqual([200, 'ok\n']);
    expect([readyz.status, readyz.json()]).toEqual([200, ready]);
  });

  test('/metrics return 404 to other networks', async () => {
    const askFrom = (address: string) =>
      request(`${url}/metrics`, 'GET', { headers: { 'X-Forwarded-For': address } });
    expect((await askFrom('192.168.0.7')).status).toBe(200);
    const refused = await askFrom('203.0.113.7');
    expect([refused.status, codesOf(refused)]).toEqual([404, ['not_found']]);
  });

  test.each([
    ['GET', '/'],
    ['GET', '/v1/credits'],
    ['POST', '/v1/ads/google-ads-search'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/errors/not_found'],
    ['GET', '/metrics/more'],
  ])('%s %s returns 404 with the error body, with any key', async (method, path) => {
    for (const presented of [key, createApiKey()]) {
      const answer = await request(`${url}${path}`, method, { key: presented });
      const { errors, meta } = answer.json() as ProblemBody;
      expect([answer.status, errors]).toMatchObject([
        404,
        [{ type: `${url}/errors/not_found`, status: 404, code: 'not_found' }],
      ]);
      expect(answer.headers.get('x-request-id')).toBe(meta.request_id);
    }
  });

  test('other methods return 405 with the allowed methods', async () => {
    const answer = await request(`${url}/metrics`, 'POST', { json: {} });
    expect([answer.status, codesOf(answer)]).toEqual([405, ['method_not_allowed']]);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  test.each([
    ['a request that is not HTTP', 'let me in\r\n\r\n', 400, 'validation_error'],
    [
      'headers of 20 KiB',
      `GET /livez HTTP/1.1\r\nA: ${'a'.repeat(20_480)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'validation_error'],
  ])('reject %s like the API', async (name, text, status, code) => {
    const { answers } = await exchange(url, { name, parts: [Buffer.from(text)], ends: false, answers: 1 });
    expect(answers.map((answer) => [answer.status, codeIn(answer.body.toString())])).toEqual([
      [status, code],
    ]);
  });
});

const isLinux = process.platform === 'linux';

test.skipIf(!isLinux)('`nightshift work` opens no port unless NIGHTSHIFT_METRICS_PORT is set', async () => {
  const { api } = await openWorkerPool();
  const quiet = api.start(['work'], { environment: { HOST: '127.0.0.1', PORT: '3999' } });
  await quiet.waitForOutput('Workers are running.');
  expect(listeningSockets(quiet.pid)).toBe(0);
  const { running } = await startWork(api, withPort);
  expect(listeningSockets(running.pid)).toBe(1);
});

/** A test API and the source of its workers: it does not know stranger.com, and silent.com has no ads. */
interface WorkerPool {
  readonly api: TestCli;
  readonly source: SourceStandIn;
  readonly close: () => Promise<void>;
}

async function openWorkerPool(sourceMs?: number): Promise<WorkerPool> {
  const workerPool = await makeWorkerPool(sourceMs);
  onTestFinished(workerPool.close);
  return workerPool;
}

/** Creates the pool for hooks: the caller closes it. */
async function makeWorkerPool(sourceMs = 5): Promise<WorkerPool> {
  const source = await openSourceStandIn({
    ads: (company) => {
      if (company === 'stranger.com') return 'no_match';
      return company === 'silent.com' ? [] : ads;
    },
    latencyMs: { min: sourceMs, max: sourceMs },
  });
  const database = await createTestDatabase();
  const api = openTestCli({
    DATABASE_URL: database.url,
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
  });
  const close = async () => {
    await api.close();
    await database.close();
    await source.close();
  };
  return { api, source, close };
}

async function startWork(
  api: TestCli,
  environment: Environment,
): Promise<{ readonly url: string; readonly running: NightshiftProcess }> {
  const running = api.start(['work'], { environment });
  await running.waitForOutput('Workers are running.');
  const url = /metrics on (http:\/\/\S+)\.\s/.exec(running.stderr())?.[1];
  if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
  return { url, running };
}

async function metrics(url: string): Promise<Metrics> {
  const answer = await request(`${url}/metrics`, 'GET');
  expect(answer.status).toBe(200);
  return readMetrics(answer.text);
}

function codeIn(body: string): string | undefined {
  return (JSON.parse(body) as ProblemBody).errors[0]?.code;
}

/** Number of listening TCP sockets of a process. */
function listeningSockets(pid: number): number {
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
  const lines = tables.flatMap((table) => table.split('\n')).map((line) => line.trim().split(/\s+/));
  const listening = new Set(lines.filter((line) => line[3] === '0A').map((line) => `socket:[${line[9]}]`));
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return open.filter((target) => listening.has(target)).length;
}

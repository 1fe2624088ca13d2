import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApi, type RunningApi } from '../../../src/api/start-api.ts';
import { openTestApi, request, type TestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const searchPath = '/v1/ads/google-ads-search';
const slowMs = 1500;
const stopMsMax = 25_000;
const ads = generateAds('acme.com', 4).slice(0, 3);
const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe('server that is stopped while searches run', () => {
  test('ends them with 200, and answers 503 to new requests on old and new connections', async () => {
    const { service, key, source } = await openSlowTestApi();
    const api = await startOne(service);
    const keptAlive = keepOneConnection();
    expect(await keptAlive(`${api.url}/v1/credits`, key)).toMatchObject({ status: 200, isReused: false });
    const searches = beginSearches(api.url, key, 5);
    await vi.waitUntil(() => source.log.length === 5, { timeout: waitMsMax });

    const stop = beginStop(api);
    const refusals = [
      await keptAlive(`${api.url}/v1/credits`, key),
      await askAlone(`${api.url}/v1/credits`, key),
      await askAlone(`${api.url}${searchPath}`, key, { company_domain: 'late.com' }),
      await askAlone(`${api.url}/v1/credits`, 'no key'),
    ];
    expect(refusals[0]?.isReused).toBe(true);
    for (const { status, headers, body } of refusals) {
      expect(status).toBe(503);
      expect(codeIn(body)).toBe('service_unavailable');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['connection']).toBe('close');
    }
    const ready = await askAlone(`${api.url}/readyz`);
    expect([ready.status, JSON.parse(ready.body)]).toEqual([
      503,
      { ready: false, database: 'ok', migrations: 'ok', queue: 'ok', dispatcher: 'ok' },
    ]);
    expect((await askAlone(`${api.url}/livez`)).status).toBe(200);

    // Repeated requests until the end do not delay the stop.
    const seen = new Set<number>();
    while (!stop.isOver()) seen.add(await statusOrGone(`${api.url}/v1/credits`, key, stop.isOver));
    expect([...seen]).toEqual(expect.arrayContaining([503]));
    expect([...seen].every((status) => status === 503 || status === 0)).toBe(true);
    expect((await searches).map(({ status, body }) => [status, costOf(body)])).toEqual(
      Array(5).fill([200, 0.2]),
    );
    expect(await stop.ended).toBeLessThan(stopMsMax);
    await expect(askAlone(`${api.url}/livez`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(source.log.filter(({ effect }) => effect)).toHaveLength(5);
    expect(await service.findings()).toEqual([]);
  });

  test('ends an open event stream, and does not wait for idle connections', async () => {
    const { service, key } = await openSlowTestApi();
    const api = await startOne(service);
    const json = { rows: [{ company_domain: 'acme.com' }] };
    const { id } = (await request(`${api.url}/v1/batches`, 'POST', { key, json })).json() as { id: string };
    const events = await fetch(`${api.url}/v1/batches/${id}/events`, { headers: { 'X-API-Key': key } });
    const reader = (events.body ?? new ReadableStream<Uint8Array>()).getReader();
    expect((await reader.read()).done).toBe(false);
    const keptAlive = keepOneConnection();
    await keptAlive(`${api.url}/livez`, key);

    const stop = beginStop(api);
    for (let isDone = false; !isDone;) isDone = (await reader.read()).done;
    expect(await stop.ended).toBeLessThan(5000);
  });

  test('aborts what still runs after the grace period', async () => {
    const { service, key, source } = await openSlowTestApi({ NIGHTSHIFT_GRACE_SECONDS: '1' });
    source.setBehaviour(() => ({ kind: 'hang' }));
    const api = await startOne(service);
    const searches = beginSearches(api.url, key, 2).catch(() => 'cut off');
    await vi.waitUntil(() => source.log.length === 2, { timeout: waitMsMax });
    const stop = beginStop(api);
    expect(await stop.ended).toBeLessThan(5000);
    expect(await searches).toBe('cut off');
  });
});

describe('`nightshift serve` and `nightshift up` on SIGTERM', () => {
  const both = (run: (command: string) => Promise<void>) => () => Promise.all(['serve', 'up'].map(run));

  test(
    'finish a running search with 200, answer 503 to others, and exit with code 0',
    both(async (command) => {
      const { service, key, source, environment } = await openSlowTestApi();
      const running = startNightshift([command], environment);
      const url = await urlOf(running);
      const searches = beginSearches(url, key, 3);
      await vi.waitUntil(() => source.log.length === 3, { timeout: waitMsMax });
      const startedMs = performance.now();
      const ended = running.stop();
      await running.waitForOutput('Stopping.');
      const refused = await askAlone(`${url}/v1/credits`, key);
      expect([refused.status, codeIn(refused.body)], command).toEqual([503, 'service_unavailable']);
      expect((await askAlone(`${url}/readyz`)).status, command).toBe(503);
      expect(
        (await searches).map(({ status, body }) => [status, costOf(body)]),
        command,
      ).toEqual(Array(3).fill([200, 0.2]));
      expect((await ended).exitCode, command).toBe(0);
      expect(performance.now() - startedMs, command).toBeLessThan(stopMsMax);
      expect(source.log, command).toHaveLength(3);
      expect(await service.findings(), command).toEqual([]);
    }),
  );

  test(
    'exit with code 0 soon after the grace period while a source hangs',
    both(async (command) => {
      const { key, source, environment } = await openSlowTestApi();
      source.setBehaviour(() => ({ kind: 'hang' }));
      const running = startNightshift([command], { ...environment, NIGHTSHIFT_GRACE_SECONDS: '1' });
      const searches = beginSearches(await urlOf(running), key, 1).catch(() => 'cut off');
      await vi.waitUntil(() => source.log.length === 1, { timeout: waitMsMax });
      const startedMs = performance.now();
      expect((await running.stop()).exitCode, command).toBe(0);
      expect(performance.now() - startedMs, command).toBeLessThan(10_000);
      expect(await searches, command).toBe('cut off');
    }),
    60_000,
  );
});

/** A database with a slow source, and the settings of a process that uses both. */
async function openSlowTestApi(settings: Readonly<Record<string, string>> = {}) {
  const source: SourceStandIn = await openSourceStandIn({
    ads: () => ads,
    latencyMs: { min: slowMs, max: slowMs },
    idempotent: false,
  });
  closers.push(source.close);
  const upstream = {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  };
  const service: TestApi = await openTestApi({ settings: { ...upstream, ...settings } });
  closers.push(service.close);
  const environment = { ...upstream, DATABASE_URL: service.database.url, PORT: '0' };
  return { service, source, environment, key: await service.createKey() };
}

/** Starts another server, which a test may stop. */
async function startOne(service: TestApi): Promise<RunningApi> {
  const api = await startApi(service.app);
  onTestFinished(api.close);
  return api;
}

/** Resolves with the duration in milliseconds. */
function beginStop(api: RunningApi) {
  const startedMs = performance.now();
  const state = { isOver: false };
  const ended = api.close().then(() => {
    state.isOver = true;
    return performance.now() - startedMs;
  });
  return { ended, isOver: () => state.isOver };
}

async function urlOf(running: ReturnType<typeof startNightshift>): Promise<string> {
  await running.waitForOutput('Press Ctrl-C to stop');
  const url = /Console +(\S+)/.exec(running.stderr())?.[1];
  if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
  return url;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** True if the request used an existing connection. */
  readonly isReused: boolean;
}

async function send(url: string, agent: Agent, key?: string, json?: object): Promise<RawAnswer> {
  const outgoing = httpRequest(url, {
    agent,
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
  });
  const arriving = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(json === undefined ? undefined : JSON.stringify(json));
  const [incoming] = await arriving;
  const body = await text(incoming);
  const { statusCode = 0, headers } = incoming;
  return { status: statusCode, headers, body, isReused: outgoing.reusedSocket };
}

/** Sends a request on a new connection. */
async function askAlone(url: string, key?: string, json?: object): Promise<RawAnswer> {
  const agent = new Agent();
  return send(url, agent, key, json).finally(() => agent.destroy());
}

/** Sends requests on one connection, as long as the server keeps it open. */
function keepOneConnection(): (url: string, key: string) => Promise<RawAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closers.push(() => agent.destroy());
  return (url, key) => send(url, agent, key);
}

/** Returns 0 if the server has gone, which is allowed only after the end of its stop. */
async function statusOrGone(url: string, key: string, isOver: () => boolean): Promise<number> {
  try {
    return (await askAlone(url, key)).status;
  } catch (error) {
    await vi.waitUntil(isOver, { timeout: 500 });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 0;
    throw error;
  }
}

function beginSearches(url: string, key: string, count: number): Promise<readonly RawAnswer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      askAlone(`${url}${searchPath}`, key, { company_domain: `company-${n}.com` }),
    ),
  );
}

function codeIn(body: string): string | undefined {
  return (JSON.parse(body) as ProblemBody).errors[0]?.code;
}

function costOf(body: string): number {
  return (JSON.parse(body) as { credits_consumed: number }).credits_consumed;
}

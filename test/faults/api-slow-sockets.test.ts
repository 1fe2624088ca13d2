import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestApi, request, type TestApi, type ProblemBody } from '../support/api/test-api.ts';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { runsAll } from '../support/faults/random-runs.ts';

const searchPath = '/v1/ads/google-ads-search';
/** Many short rounds in alternation, so that other load on the machine affects both alike. */
const rounds = runsAll ? 5 : 2;
const roundMs = 1500;
/** Time until the server has accepted all connections and checked the keys of those that sent one. */
const settleMs = 700;
/** Concurrent normal requests beside the slow ones. */
const atOnce = 4;
/** Slow clients: a byte of a header per second, half a body, and nothing at all. */
const kinds = { header: 200, body: 200, silent: 100 } as const;
type Kind = keyof typeof kinds;
/** Documented limits plus a tolerance for a busy machine. */
const endsWithinMs = { header: 10_000 + 5000, body: 30_000 + 5000, silent: 10_000 + 5000 } as const;
const wide = {
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '10000000',
};

/** A slow connection. */
interface SlowSocket {
  readonly kind: Kind;
  readonly openedAt: number;
  endedAt: number | null;
  received: string;
  readonly drip: () => void;
  readonly cut: () => void;
}

interface Measured {
  readonly ms: number;
  readonly isRight: boolean;
}

test('500 slow sockets time out, and do not delay other requests', async () => {
  const api = await openTestApi({ settings: wide });
  onTestFinished(api.close);
  const url = await startServer(api);
  const key = await api.createKey();
  const quiet: Measured[] = [];
  const measuredUnderLoad: Measured[] = [];
  await askFor(1500, url, key);
  let slowSockets: readonly SlowSocket[] = [];
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(...(await askFor(roundMs, url, key)));
    slowSockets = await openSlowSockets(url, key);
    await sleep(settleMs);
    measuredUnderLoad.push(...(await askFor(roundMs, url, key)));
    expect(slowSockets.filter(({ endedAt }) => endedAt === null)).toHaveLength(500);
    if (round === rounds - 1) break;
    for (const socket of slowSockets) socket.cut();
    await vi.waitUntil(() => slowSockets.every(({ endedAt }) => endedAt !== null), { timeout: 5000 });
    await sleep(300);
  }
  const [without, beside] = [percentile(quiet, 0.99), percentile(measuredUnderLoad, 0.99)];
  process.stderr.write(
    `\np99 of ${quiet.length} requests without slow sockets ${without.toFixed(1)} ms, of ${measuredUnderLoad.length} beside 500 of them ` +
      `${beside.toFixed(1)} ms (${(beside / without).toFixed(2)} times); p50 ${percentile(quiet, 0.5).toFixed(1)} and ` +
      `${percentile(measuredUnderLoad, 0.5).toFixed(1)} ms\n`,
  );
  expect([...quiet, ...measuredUnderLoad].filter(({ isRight }) => !isRight)).toEqual([]);
  expect(beside / without).toBeLessThan(4);

  // The last slow connections stay until the server closes them; normal requests succeed meanwhile.
  const late: Measured[] = [];
  while (slowSockets.some(({ endedAt }) => endedAt === null)) {
    late.push(...(await askFor(100, url, key)));
    await sleep(400);
    const now = performance.now();
    const overdue = slowSockets.filter(
      ({ kind, openedAt, endedAt }) => endedAt === null && now - openedAt > endsWithinMs[kind],
    );
    expect(countKinds(overdue)).toEqual({});
  }
  expect(late.filter(({ isRight }) => !isRight)).toEqual([]);
  for (const { received } of slowSockets) if (received !== '') expectRequestTimeout(received);
  // A client that has sent something receives the reason.
  expect(
    countKinds(slowSockets.filter(({ kind, received }) => kind !== 'silent' && received === '')),
  ).toEqual({});
  process.stderr.write(
    `${Object.keys(kinds)
      .map((kind) => endOf(slowSockets, kind as Kind))
      .join('; ')}\n`,
  );
  expect(await api.findings()).toEqual([]);
});

/** Sends normal requests for a time with a concurrency, and checks each response. */
async function askFor(forMs: number, url: string, key: string): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, n) => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        const isRight = await (n === 0 ? isSearchCorrect(url, key) : areCreditsCorrect(url, key));
        measured.push({ ms: performance.now() - startedAt, isRight });
      }
    }),
  );
  return measured;
}

async function areCreditsCorrect(url: string, key: string): Promise<boolean> {
  const answer = await request(`${url}/v1/credits`, 'GET', { key });
  return answer.status === 200 && (answer.json() as { credits: number }).credits > 0;
}

async function isSearchCorrect(url: string, key: string): Promise<boolean> {
  const json = { company_domain: 'nike.com' };
  const answer = await request(`${url}${searchPath}`, 'POST', { key, json });
  return answer.status === 200 && (answer.json() as { credits_consumed: number }).credits_consumed === 0.2;
}

/** Opens all slow connections; those with a header send it by themselves, at their own times. */
async function openSlowSockets(url: string, key: string): Promise<readonly SlowSocket[]> {
  const all = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    Array.from({ length: kinds[kind] }, () => openSlow(kind, url, key)),
  );
  const crowd = await Promise.all(all);
  const dripping = crowd.filter(({ kind }) => kind === 'header');
  const perTick = dripping.length / 20;
  let n = 0;
  const timer = setInterval(() => {
    for (const socket of dripping.slice(n * perTick, (n + 1) * perTick)) socket.drip();
    n = (n + 1) % 20;
    if (dripping.every(({ endedAt }) => endedAt !== null)) clearInterval(timer);
  }, 1000 / 20);
  onTestFinished(() => {
    clearInterval(timer);
    for (const socket of crowd) socket.cut();
  });
  return crowd;
}

function openSlow(kind: Kind, url: string, key: string): Promise<SlowSocket> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ company_domain: 'slow.com' });
  const head = `POST ${searchPath} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const begin = {
    header: `GET /v1/credits HTTP/1.1\r\nHost: localhost\r\nX-Slow: `,
    body: `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, body.length / 2)}`,
    silent: '',
  }[kind];
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), hostname);
    const slow: SlowSocket = {
      kind,
      openedAt: performance.now(),
      endedAt: null,
      received: '',
      drip: () => void (socket.writable && socket.write('x')),
      cut: () => socket.destroy(),
    };
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (slow.received += text));
    socket.on('close', () => (slow.endedAt ??= performance.now()));
    // The server has sent its response and closed its side; close ours.
    socket.on('end', () => socket.end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.once('connect', () => {
      socket.write(begin);
      resolve(slow);
    });
  });
}

/** Expects the contract's error form (docs/architecture/contract.md, 7) at the end of a connection. */
function expectRequestTimeout(received: string): void {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
  expect(head.toLowerCase()).toContain('content-type: application/json');
  const { errors, meta } = JSON.parse(body) as ProblemBody;
  expect(errors).toMatchObject([
    {
      type: expect.stringMatching(/\/errors\/request_timeout$/) as string,
      status: 408,
      code: 'request_timeout',
    },
  ]);
  expect(errors[0]?.title).not.toBe('');
  expect(meta.request_id).toMatch(/^req_/);
  expect(meta.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

async function startServer({ database }: TestApi): Promise<string> {
  const environment = { ...wide, DATABASE_URL: database.url, PORT: '0', NIGHTSHIFT_SOURCES: 'sample' };
  const running = startNightshift(['serve'], environment);
  await running.waitForOutput('Press Ctrl-C to stop');
  const url = /Console +(\S+)/.exec(running.stderr())?.[1];
  if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
  return url;
}

function percentile(measured: readonly Measured[], part: number): number {
  const sorted = measured.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
}

function countKinds(sockets: readonly SlowSocket[]): Readonly<Partial<Record<Kind, number>>> {
  const counts: Partial<Record<Kind, number>> = {};
  for (const { kind } of sockets) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Time and content of the end of the connections of a kind. */
function endOf(crowd: readonly SlowSocket[], kind: Kind): string {
  const own = crowd.filter((socket) => socket.kind === kind);
  const seconds = own.map(({ openedAt, endedAt }) => ((endedAt ?? NaN) - openedAt) / 1000);
  const reported = own.filter(({ received }) => received !== '').length;
  return `${kind}: ${own.length} ended after ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s, ${reported} with 408`;
}

import { routePath } from 'hono/route';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../../log.ts';
import type { BackendCounts } from '../../core/sql/account-queries.ts';
import type { ReadingCounts } from '../../core/sql/reading-counts.ts';
import type { ServiceStats } from '../../core/work/service-stats.ts';
import type { ApiMiddleware } from './api-env.ts';

/** Prometheus metrics of this process and of the whole service. */
export interface ApiMetrics {
  noteRequest(request: { route: string; method: string; status: number; seconds: number }): void;
  /** Reads the text of `/metrics`. Figures of the whole service are queried each time. */
  readText(): Promise<string>;
  readonly contentType: string;
}

/** Figures of this process about readings. */
export interface ReadingMetrics {
  readonly countBackends: () => BackendCounts;
  /** Null without a replica. */
  readonly countReadings: () => ReadingCounts | null;
}

/** Creates the metrics in their own registry, so that two servers of one process do not collide. */
export function createMetrics(readStats: () => Promise<ServiceStats>, own: ReadingMetrics): ApiMetrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry, prefix: 'nightshift_' });
  const requests = new Counter({
    name: 'nightshift_http_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'nightshift_http_request_seconds',
    help: 'Time from a request to the first byte of its response.',
    labelNames: ['route', 'method'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });
  const outcomes = gauge('nightshift_lookups', 'Ended lookups by outcome, of all processes.', ['outcome']);
  const charged = gauge('nightshift_credits_charged', 'Credits charged, of all accounts.');
  const balance = gauge('nightshift_credits_balance', 'Available credits, by account.', ['account']);
  const held = gauge('nightshift_credits_held', 'Credits reserved for open lookups, by account.', [
    'account',
  ]);
  const open = gauge('nightshift_lookups_open', 'Lookups without an outcome.');
  const chunks = gauge('nightshift_chunks', 'Chunks of work by state: queued, running, parked.', ['state']);
  const oldest = gauge(
    'nightshift_oldest_waiting_seconds',
    'Waiting time of the batch that has waited longest; 0 when none waits.',
  );
  const latency = gauge(
    'nightshift_source_seconds',
    'Response time of a live source over its last calls: the median and the 99th percentile.',
    ['source', 'quantile'],
  );
  const calls = gauge('nightshift_source_answers', 'Results of the last calls of a live source.', [
    'source',
    'answer',
  ]);

  const showOwn = createOwnGauges(gauge, own);
  function show(data: ServiceStats): void {
    for (const metric of [outcomes, balance, held, chunks, latency, calls]) metric.reset();
    for (const [outcome, count] of Object.entries(data.outcomes)) outcomes.set({ outcome }, count);
    charged.set(data.creditsCharged);
    for (const account of data.accounts) {
      balance.set({ account: account.name }, account.balance);
      held.set({ account: account.name }, account.held);
    }
    open.set(data.openLookups);
    for (const [state, count] of Object.entries(data.chunks)) chunks.set({ state }, count);
    oldest.set(data.oldestWaitingSeconds);
    for (const { source, p50Seconds, p99Seconds, answers } of data.sources) {
      latency.set({ source, quantile: '0.5' }, p50Seconds);
      latency.set({ source, quantile: '0.99' }, p99Seconds);
      for (const [answer, count] of Object.entries(answers)) calls.set({ source, answer }, count);
    }
  }

  return {
    noteRequest: ({ route, method, status, seconds: taken }) => {
      requests.inc({ route, method, status: String(status) });
      seconds.observe({ route, method }, taken);
    },
    readText: async () => {
      showOwn();
      show(await readStats());
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

type CreateGauge = (name: string, help: string, labelNames?: readonly string[]) => Gauge;

/** Creates the gauges of this process, and returns the function that sets them. */
function createOwnGauges(gauge: CreateGauge, { countBackends, countReadings }: ReadingMetrics): () => void {
  const backends = gauge(
    'nightshift_sql_backends',
    "Postgres backends of accounts' queries that this process canceled or terminated after their client was gone, and those that still run.",
    ['end'],
  );
  const readings = gauge(
    'nightshift_readings',
    'Readings of this process by the server that answered: replica or primary; and those repeated because the replica was lost. Empty without a replica.',
    ['server'],
  );
  return () => {
    for (const [end, count] of Object.entries<number>({ ...countBackends() })) backends.set({ end }, count);
    for (const [server, count] of Object.entries<number>({ ...countReadings() }))
      readings.set({ server }, count);
  };
}

/** Counts a request and logs one line about it: no query, header, body or token of a link, because they may contain secrets. */
export function observeRequests(metrics: ApiMetrics, log: Logger): ApiMiddleware {
  return async (c, next) => {
    const startMs = performance.now();
    await next();
    const seconds = (performance.now() - startMs) / 1000;
    const { status } = c.res;
    const { method, path } = c.req;
    const route = status === 404 || status === 405 ? 'none' : routePath(c, -1);
    metrics.noteRequest({ route, method, status, seconds });
    const { requestId, address } = c.var;
    const ms = Math.round(seconds * 1000);
    log.info({ requestId, address, method, path: withoutToken(path), status, ms }, 'Request');
  };
}

/** Pages behind links whose path ends with a token. */
const tokenPaths = /^(\/+(?:shared\/+reports|webhooks\/+confirm)\/+).+/is;

/** Text as long as a token: 43 characters. Ids have 36. */
const tokenText = /[\w-]{38,}/g;

/** Masks the tokens in a path, also where it leads to no page, such as in a mistyped link. */
export function withoutToken(path: string): string {
  return path.replace(tokenPaths, '$1…').replace(tokenText, '…');
}

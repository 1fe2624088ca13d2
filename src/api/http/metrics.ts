import { routePath } from 'hono/route';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../../log.ts';
import type { BackendCounts } from '../../core/sql/account-queries.ts';
import type { ServiceStats } from '../../core/work/service-stats.ts';
import type { ApiMiddleware } from './api-env.ts';

/** Prometheus metrics of this process and of the whole service. */
export interface ApiMetrics {
  noteRequest(request: { route: string; method: string; status: number; seconds: number }): void;
  /** The text of `/metrics`; the service's own figures are asked anew. */
  readText(): Promise<string>;
  readonly contentType: string;
}

/** Metrics in a registry of their own, so that two servers of one process do not meet. */
export function createMetrics(
  readStats: () => Promise<ServiceStats>,
  countBackends: () => BackendCounts,
): ApiMetrics {
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
    help: 'How long requests took until their answer began.',
    labelNames: ['route', 'method'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });
  const outcomes = gauge('nightshift_lookups', 'Lookups that ended, by outcome, of all processes.', [
    'outcome',
  ]);
  const charged = gauge('nightshift_credits_charged', 'Credits charged so far, of all accounts.');
  const balance = gauge('nightshift_credits_balance', 'Credits that can be spent, by account.', ['account']);
  const held = gauge('nightshift_credits_held', 'Credits held for open lookups, by account.', ['account']);
  const open = gauge('nightshift_lookups_open', 'Lookups that wait for their outcome.');
  const chunks = gauge('nightshift_chunks', 'Chunks of work by state: queued, running, parked.', ['state']);
  const oldest = gauge(
    'nightshift_oldest_waiting_seconds',
    'How long the batch has waited that waits longest; 0 when none does.',
  );
  const latency = gauge(
    'nightshift_source_seconds',
    'How long a live source took to answer, over its last calls: the median and the 99th percentile.',
    ['source', 'quantile'],
  );
  const calls = gauge('nightshift_source_answers', 'What a live source answered, over its last calls.', [
    'source',
    'answer',
  ]);

  const backends = gauge(
    'nightshift_sql_backends',
    "Postgres processes of accounts' queries that this process canceled or terminated because they stayed, and those that stay nevertheless.",
    ['end'],
  );

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
      for (const [end, count] of Object.entries<number>({ ...countBackends() })) backends.set({ end }, count);
      show(await readStats());
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Counts a request and writes one line about it; no query, no header and no body, which may hold what is secret. */
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
    log.info({ requestId, address, method, path, status, ms: Math.round(seconds * 1000) }, 'Request');
  };
}

import type { OpenAPIHono } from '@hono/zod-openapi';
import { compress } from 'hono/compress';
import type { App } from '../app/app.ts';
import type { ApiEnv, ApiMiddleware } from './http/api-env.ts';
import { createAuthorise } from './http/authorise.ts';
import { answerUnknownPages, routeConsole } from './console/route-console.ts';
import { createHttp } from './http/create-http.ts';
import { routeConfirmation } from './docs/confirm-page.ts';
import { routeDocuments } from './docs/route-documents.ts';
import { createRunOnce, idempotent } from './http/idempotency.ts';
import type { ApiMetrics } from './http/metrics.ts';
import { Problem } from './http/problem.ts';
import { readJson, readJsonOfList, readOptionalJson, readOptionalList } from './http/read-json.ts';
import type { RequestLimits } from './http/request-limits.ts';
import type { Router } from './http/router.ts';
import { routeQueueBoard } from './queue-board/route-queue-board.ts';
import { routeOperations } from './operations/routes.ts';
import { routeSharedReports } from './shared-reports/routes.ts';
import { routes } from './v1/routes.ts';

export interface ApiOptions {
  readonly services: App;
  readonly limits: RequestLimits;
  readonly metrics: ApiMetrics;
  readonly baseUrl: string;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** The HTTP API of the service contract, and of everything that the command line can do with a batch (docs/architecture/api.md). */
export function createApi(options: ApiOptions): OpenAPIHono<ApiEnv> {
  const { services, limits, metrics, baseUrl, stopping } = options;
  const { log, config } = services;
  const http = createHttp({ log, metrics, trustProxy: config.api.trustProxy, baseUrl });
  http.use(rejectWhileStopping(stopping), compress({ encoding: 'gzip' }));
  answerUnknownPages(http);
  const router = createRouter(http, { services, limits, baseUrl, stopping });
  for (const route of routes) route(router);
  routeOperations(http, { readReadiness: services.work.readReadiness, metrics, baseUrl, stopping });
  routeDocuments(http);
  routeConfirmation(http, { webhooks: services.events.webhooks, limits });
  routeSharedReports(router);
  routeQueueBoard(router);
  routeConsole(http);
  return http;
}

function createRouter(
  http: OpenAPIHono<ApiEnv>,
  { services, limits, baseUrl, stopping }: Pick<ApiOptions, 'services' | 'limits' | 'baseUrl' | 'stopping'>,
): Router {
  const {
    accounts: { keys, sessions, storedResponses: idempotency },
    log,
    config,
  } = services;
  const authorise = createAuthorise({ keys, sessions, limits, log });
  const runOnce = createRunOnce({ store: idempotency, leaseMs: config.leaseMs });
  const once = idempotent(runOnce);
  return {
    http,
    services,
    runOnce,
    limits,
    baseUrl,
    log,
    stopping,
    guards: {
      read: (scope) => [authorise(scope)],
      postJson: (scope) => [authorise(scope), readJson, once],
      post: (scope) => [authorise(scope), readOptionalJson, once],
      ask: (scope) => [authorise(scope, { isRead: true }), readJson],
      upload: (scope) => [authorise(scope), readJsonOfList],
      change: (scope) => [authorise(scope), readOptionalList],
      remove: (scope) => [authorise(scope)],
    },
  };
}

/** Rejects requests while the server stops, except `/readyz` and `/livez`: a load balancer needs both until the end. */
function rejectWhileStopping(stopping: AbortSignal): ApiMiddleware {
  return async (c, next) => {
    if (!stopping.aborted || c.req.path === '/livez' || c.req.path === '/readyz') return next();
    c.header('Connection', 'close');
    throw new Problem('service_unavailable', {
      titles: ['This server is shutting down. Repeat the request'],
      headers: { 'Retry-After': '1' },
    });
  };
}

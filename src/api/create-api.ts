import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { App } from '../app.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../log.ts';
import type { ApiContext, ApiEnv, ApiMiddleware } from './api-env.ts';
import { createAuthorise } from './authorise.ts';
import { routeDocuments } from './documents/route-documents.ts';
import { createRunOnce, idempotent } from './idempotency.ts';
import { observeRequests, type ApiMetrics } from './metrics.ts';
import { invalidInput, Problem, problemKinds, toProblem } from './problem.ts';
import { readJson, readJsonOfList, readOptionalJson } from './read-json.ts';
import type { RequestLimits } from './request-limits.ts';
import { requestAddress } from './request-address.ts';
import type { Router } from './router.ts';
import { routeOperations } from './routes/operations.ts';
import { routes } from './routes/routes.ts';
import { toProblemBody } from './wire/problem.ts';

export interface ApiOptions {
  readonly services: App;
  readonly limits: RequestLimits;
  readonly metrics: ApiMetrics;
  readonly baseUrl: string;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** The HTTP API of the service contract, and of everything that the command line can do with a list (DESIGN §6). */
export function createApi(options: ApiOptions): OpenAPIHono<ApiEnv> {
  const { services, limits, metrics, baseUrl, stopping } = options;
  const { log, config } = services;
  const http = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error.issues);
    },
  });
  http.onError((error, c) => answerProblem(c, error, { baseUrl, log }));
  http.notFound((c) => answerProblem(c, refusal(http, c), { baseUrl, log }));
  http.use(identify(config.api.trustProxy), observeRequests(metrics, log), refuseWhileStopping(stopping));
  const router = createRouter(http, { services, limits, stopping });
  for (const route of routes) route(router);
  routeOperations(router, metrics);
  routeDocuments(http);
  return http;
}

function createRouter(
  http: OpenAPIHono<ApiEnv>,
  { services, limits, stopping }: Pick<ApiOptions, 'services' | 'limits' | 'stopping'>,
): Router {
  const { keys, idempotency, log, config } = services;
  const authorise = createAuthorise({ keys, limits, log });
  const runOnce = createRunOnce({ store: idempotency, leaseMs: config.leaseMs });
  const once = idempotent(runOnce);
  return {
    http,
    services,
    runOnce,
    log,
    stopping,
    guards: {
      read: (scope) => [authorise(scope)],
      postJson: (scope) => [authorise(scope), readJson, once],
      post: (scope) => [authorise(scope), readOptionalJson, once],
      upload: (scope) => [authorise(scope), readJsonOfList],
    },
  };
}

/** Gives every request its id, and finds out where it came from. */
function identify(trustProxy: boolean): ApiMiddleware {
  return async (c, next) => {
    c.set('requestId', newId('req', Date.now()));
    c.set('address', requestAddress(c, trustProxy));
    c.set('keeping', null);
    c.header('X-Request-Id', c.var.requestId);
    c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
    refuseOddHost(c.env.incoming.rawHeaders);
    await next();
  };
}

/** There is one, as HTTP wants it (RFC 9112 §3.2); what it says plays no part. */
function refuseOddHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1) return;
  throw new Problem('validation_error', {
    titles: [hosts === 0 ? 'The header Host is missing' : 'There is more than one header Host'],
  });
}

/** A load balancer asks `/readyz` and `/livez` to the end; everybody else is sent to another process. */
function refuseWhileStopping(stopping: AbortSignal): ApiMiddleware {
  return async (c, next) => {
    if (!stopping.aborted || c.req.path === '/livez' || c.req.path === '/readyz') return next();
    c.header('Connection', 'close');
    throw new Problem('service_unavailable', {
      titles: ['This server is stopping'],
      headers: { 'Retry-After': '1' },
    });
  };
}

function answerProblem(
  c: ApiContext,
  error: unknown,
  { baseUrl, log }: { readonly baseUrl: string; readonly log: Logger },
): Response {
  const problem = toProblem(error instanceof HTTPException ? asProblem(error) : error);
  const { requestId } = c.var;
  const { status } = problemKinds[problem.code];
  if (status >= 500)
    log[status === 500 ? 'error' : 'warn']({ requestId, err: problem.cause ?? problem }, 'A request failed.');
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value);
  return c.json(toProblemBody(problem, { baseUrl, requestId, now: new Date() }), status);
}

/** What the framework throws by itself: a body that is no JSON. */
function asProblem(error: HTTPException): unknown {
  if (error.status === 415) return new Problem('unsupported_media_type', { cause: error });
  if (error.status !== 400) return error;
  return new Problem('validation_error', { titles: ['The body is not JSON'], cause: error });
}

/** 405 where the path is one of ours with another method, 404 otherwise. */
function refusal(http: OpenAPIHono<ApiEnv>, c: ApiContext): Problem {
  const methods = methodsOf(http, c.req.path);
  if (methods.length === 0) return new Problem('not_found');
  return new Problem('method_not_allowed', {
    titles: [`This address takes ${methods.join(', ')}`],
    headers: { Allow: methods.join(', ') },
  });
}

function methodsOf(http: OpenAPIHono<ApiEnv>, path: string): readonly string[] {
  const methods = http.routes
    .filter(({ method, path: pattern }) => method !== 'ALL' && toPattern(pattern).test(path))
    .map(({ method }) => method);
  return [...new Set(methods)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`);
}

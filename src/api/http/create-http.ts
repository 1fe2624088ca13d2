import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../log.ts';
import type { ApiContext, ApiEnv, ApiMiddleware } from './api-env.ts';
import { observeRequests, type ApiMetrics } from './metrics.ts';
import { invalidInput, Problem, problemKinds, toProblem } from './problem.ts';
import { requestAddress } from './request-address.ts';
import { rejectUnstorablePath } from './unstorable-text.ts';
import { toProblemBody } from './problem-schema.ts';

export interface HttpOptions {
  readonly log: Logger;
  readonly metrics: ApiMetrics;
  readonly trustProxy: boolean;
  /** Base URL of the `type` of errors. */
  readonly baseUrl: string;
}

/**
 * Creates the HTTP app without routes: every request has an id, is counted and logged, and every error has the error body
 * (docs/architecture/contract.md, 7).
 */
export function createHttp({ log, metrics, trustProxy, baseUrl }: HttpOptions): OpenAPIHono<ApiEnv> {
  const http = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error.issues);
    },
  });
  http.onError((error, c) => answerProblem(c, error, { baseUrl, log }));
  http.notFound((c) => answerProblem(c, refusal(http, c), { baseUrl, log }));
  http.use(
    identify({ trustProxy, isSecure: baseUrl.startsWith('https:') }),
    observeRequests(metrics, log),
    rejectUnstorablePath,
  );
  return http;
}

/** Sets the id of a request and the address of its client. */
function identify({
  trustProxy,
  isSecure,
}: {
  readonly trustProxy: boolean;
  readonly isSecure: boolean;
}): ApiMiddleware {
  return async (c, next) => {
    c.set('isSecure', isSecure);
    c.set('requestId', newId('req', Date.now()));
    c.set('address', requestAddress(c, trustProxy));
    c.set('keeping', null);
    c.header('X-Request-Id', c.var.requestId);
    c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
    rejectOddHost(c.env.incoming.rawHeaders);
    await next();
  };
}

/** Rejects a request without exactly one Host header (RFC 9112 §3.2). Its value is not used. */
function rejectOddHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1) return;
  throw new Problem('validation_error', {
    titles: [hosts === 0 ? 'The header Host is missing' : 'The header Host is repeated'],
  });
}

/** Challenge of every 401 (RFC 9110 §11.6.1). No scheme is registered for a key in its own header. */
const challenge = 'ApiKey realm="nightshift", header="X-API-Key"';

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
  if (status === 401) c.header('WWW-Authenticate', challenge);
  return c.json(toProblemBody(problem, { baseUrl, requestId, now: new Date() }), status);
}

/** Maps errors of the framework: a body that is not JSON. */
function asProblem(error: HTTPException): unknown {
  if (error.status === 415) return new Problem('unsupported_media_type', { cause: error });
  if (error.status !== 400) return error;
  return new Problem('validation_error', { titles: ['The body is not valid JSON'], cause: error });
}

/** Creates the problem of an unknown route: 405 when the path exists with another method, 404 otherwise. */
function refusal(http: OpenAPIHono<ApiEnv>, c: ApiContext): Problem {
  const methods = methodsOf(http, c.req.path);
  if (methods.length === 0) return new Problem('not_found');
  return new Problem('method_not_allowed', {
    titles: [`This path accepts ${methods.join(', ')}`],
    headers: { Allow: methods.join(', ') },
  });
}

function methodsOf(http: OpenAPIHono<ApiEnv>, path: string): readonly string[] {
  const routes = http.routes.filter(({ method }) => method !== 'ALL');
  // A path without parameters matches nothing else.
  const own = routes.filter(({ path: pattern }) => pattern === path);
  const found = own.length > 0 ? own : routes.filter(({ path: pattern }) => toPattern(pattern).test(path));
  const methods = found.map(({ method }) => method);
  return [...new Set(methods)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`);
}

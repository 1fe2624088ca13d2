import type { OpenAPIHono } from '@hono/zod-openapi';
import type { App } from '../app.ts';
import type { Scope } from '../core/access/api-key.ts';
import type { Logger } from '../log.ts';
import type { ApiEnv, ApiMiddleware } from './api-env.ts';
import type { RunOnce } from './idempotency.ts';

/** What a request has to pass before its route, by the kind of route. */
export interface Guards {
  readonly read: (scope: Scope) => ApiMiddleware[];
  /** A POST whose body is JSON, once for each Idempotency-Key. */
  readonly postJson: (scope: Scope) => ApiMiddleware[];
  /** The same for one that may have no body. */
  readonly post: (scope: Scope) => ApiMiddleware[];
  /** A POST that reads its body itself. */
  readonly upload: (scope: Scope) => ApiMiddleware[];
  /** A PATCH, whose body may be a list, or JSON, or none. Repeating it does no harm. */
  readonly change: (scope: Scope) => ApiMiddleware[];
  /** A DELETE. Repeating it does no harm. */
  readonly remove: (scope: Scope) => ApiMiddleware[];
}

/** What the routes are made of. */
export interface Router {
  readonly http: OpenAPIHono<ApiEnv>;
  readonly guards: Guards;
  readonly services: App;
  readonly runOnce: RunOnce;
  readonly log: Logger;
  /** Aborts when the server stops: what would go on for ever ends then. */
  readonly stopping: AbortSignal;
}

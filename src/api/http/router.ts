import type { OpenAPIHono } from '@hono/zod-openapi';
import type { App } from '../../app/app.ts';
import type { Permission } from '../../core/accounts/roles.ts';
import type { Logger } from '../../log.ts';
import type { ApiEnv, ApiMiddleware } from './api-env.ts';
import type { RunOnce } from './idempotency.ts';
import type { RequestLimits } from './request-limits.ts';

/** Middleware that precedes a route, by the kind of route. Only sessions have the permission `operator`. */
export interface Guards {
  readonly read: (permission: Permission) => ApiMiddleware[];
  /** A POST whose body is JSON, once for each Idempotency-Key. */
  readonly postJson: (permission: Permission) => ApiMiddleware[];
  /** The same for one that may have no body. */
  readonly post: (permission: Permission) => ApiMiddleware[];
  /** A POST whose body is JSON, and which changes nothing. */
  readonly ask: (permission: Permission) => ApiMiddleware[];
  /** A POST that reads its body itself. */
  readonly upload: (permission: Permission) => ApiMiddleware[];
  /** A PATCH, whose body may be a list, or JSON, or none. Repeating it does no harm. */
  readonly change: (permission: Permission) => ApiMiddleware[];
  /** A DELETE. Repeating it does no harm. */
  readonly remove: (permission: Permission) => ApiMiddleware[];
}

/** The parts that routes need. */
export interface Router {
  readonly http: OpenAPIHono<ApiEnv>;
  readonly guards: Guards;
  readonly services: App;
  readonly runOnce: RunOnce;
  readonly limits: RequestLimits;
  /** The address by which clients know the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Logger;
  /** Aborts when the server stops: what would go on for ever ends then. */
  readonly stopping: AbortSignal;
}

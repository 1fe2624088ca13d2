import type { OpenAPIHono } from '@hono/zod-openapi';
import type { App } from '../../app/app.ts';
import type { Permission } from '../../core/accounts/roles.ts';
import type { Logger } from '../../log.ts';
import type { ApiEnv, ApiMiddleware } from './api-env.ts';
import type { RunOnce } from './idempotency.ts';
import type { RequestLimits } from './request-limits.ts';

/** Middleware of routes, by the kind of route. Only sessions have the permission `operator`. */
export interface Guards {
  readonly read: (permission: Permission) => ApiMiddleware[];
  /** POST with a JSON body, run once for each Idempotency-Key. */
  readonly postJson: (permission: Permission) => ApiMiddleware[];
  /** POST with an optional JSON body, run once for each Idempotency-Key. */
  readonly post: (permission: Permission) => ApiMiddleware[];
  /** POST with a JSON body that changes nothing. */
  readonly ask: (permission: Permission) => ApiMiddleware[];
  /** POST that reads its body itself. */
  readonly upload: (permission: Permission) => ApiMiddleware[];
  /** PATCH whose body is a file, JSON or empty. It is safe to repeat. */
  readonly change: (permission: Permission) => ApiMiddleware[];
  /** DELETE. It is safe to repeat. */
  readonly remove: (permission: Permission) => ApiMiddleware[];
}

/** Dependencies of routes. */
export interface Router {
  readonly http: OpenAPIHono<ApiEnv>;
  readonly guards: Guards;
  readonly services: App;
  readonly runOnce: RunOnce;
  readonly limits: RequestLimits;
  /** Base URL of the service for clients, without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Logger;
  /** Aborts when the server stops, to end endless responses. */
  readonly stopping: AbortSignal;
}

import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { App } from '../../app/app.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { ApiMetrics } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import { unreadable } from '../http/problem-responses.ts';
import { isOwnName, isPrivateAddress } from '../http/request-address.ts';
import { problemBody } from '../http/problem-schema.ts';

const readiness = z
  .object({
    ready: z.boolean(),
    database: z.string().openapi({ description: '`ok`, or the error.' }),
    migrations: z.string().openapi({ description: '`ok`, or the error.' }),
    queue: z.string().openapi({ description: '`ok`, or the error.' }),
    dispatcher: z.string().openapi({
      description:
        '`ok`, or the database session outside of the service that holds the leader lock, so that no work is dispatched.',
    }),
  })
  .openapi('Readiness');

export interface OperationsOptions {
  readonly readReadiness: App['work']['readReadiness'];
  readonly metrics: ApiMetrics;
  /** Base URL of this server for clients. */
  readonly baseUrl: string;
  /** Aborts when the process stops. From then on it is not ready. */
  readonly stopping: AbortSignal;
}

/** Routes `/livez`, `/readyz` and `/metrics`, for the operator, without an API key. */
export function routeOperations(
  http: OpenAPIHono<ApiEnv>,
  { readReadiness, metrics, baseUrl, stopping }: OperationsOptions,
): void {
  const livez = createRoute({
    method: 'get',
    path: '/livez',
    summary: 'Check liveness',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: { description: 'The process is alive.', content: { 'text/plain': { schema: z.string() } } },
    },
  });
  http.openapi(livez, (c) => c.text('ok\n'));

  const readyz = createRoute({
    method: 'get',
    path: '/readyz',
    summary: 'Check readiness',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: {
        description: 'The service is ready for requests.',
        content: { 'application/json': { schema: readiness } },
      },
      503: {
        description: 'The service is not ready, or is shutting down.',
        content: { 'application/json': { schema: readiness } },
      },
    },
  });
  http.openapi(readyz, async (c) => {
    const found = await readReadiness();
    const ready = !stopping.aborted && Object.values(found).every((state) => state === 'ok');
    return c.json({ ready, ...found }, ready ? 200 : 503);
  });

  const metricsRoute = createRoute({
    method: 'get',
    path: '/metrics',
    summary: 'Read metrics',
    description:
      'Returns the metrics of the service. Because they name every account, they are available only from loopback and private networks, and only if the Host is an address, a local name or the name in NIGHTSHIFT_BASE_URL.',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: {
        description: 'The metrics in the Prometheus text format.',
        content: { 'text/plain': { schema: z.string() } },
      },
      404: {
        description: 'The request comes from a public network, or its Host is another name.',
        content: { 'application/json': { schema: problemBody } },
      },
    },
  });
  http.openapi(metricsRoute, async (c) => {
    if (!isPrivateAddress(c.var.address) || !isOwnName(c.req.header('host') ?? '', baseUrl))
      throw new Problem('not_found');
    return c.body(await metrics.readText(), 200, { 'Content-Type': metrics.contentType }) as never;
  });
}

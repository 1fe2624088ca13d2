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
    database: z.string().openapi({ description: '`ok`, or what is wrong.' }),
    migrations: z.string().openapi({ description: '`ok`, or what is wrong.' }),
    queue: z.string().openapi({ description: '`ok`, or what is wrong.' }),
    dispatcher: z.string().openapi({
      description: '`ok`, or who keeps work from being given out without being a part of the service.',
    }),
  })
  .openapi('Readiness');

export interface OperationsOptions {
  readonly readReadiness: App['work']['readReadiness'];
  readonly metrics: ApiMetrics;
  /** The address by which clients know this server. */
  readonly baseUrl: string;
  /** Aborts when the process stops: it is not ready from then on. */
  readonly stopping: AbortSignal;
}

/** `/livez`, `/readyz`, `/metrics`: for who runs the service, without a key. */
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
      200: { description: 'It does.', content: { 'text/plain': { schema: z.string() } } },
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
      200: { description: 'It can.', content: { 'application/json': { schema: readiness } } },
      503: {
        description: 'It cannot, or is stopping.',
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
      'They name every account, so they are told on loopback and private networks only, to who asks for an address, a local name or the name in NIGHTSHIFT_BASE_URL.',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: {
        description: 'The text format of Prometheus.',
        content: { 'text/plain': { schema: z.string() } },
      },
      404: { description: 'To anybody else.', content: { 'application/json': { schema: problemBody } } },
    },
  });
  http.openapi(metricsRoute, async (c) => {
    if (!isPrivateAddress(c.var.address) || !isOwnName(c.req.header('host') ?? '', baseUrl))
      throw new Problem('not_found');
    return c.body(await metrics.readText(), 200, { 'Content-Type': metrics.contentType }) as never;
  });
}

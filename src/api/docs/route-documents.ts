import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { once } from '../../core/async/once.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { toFile } from '../console/console-files.ts';
import { sendFile } from '../console/route-console.ts';
import { Problem, problemKinds } from '../http/problem.ts';
import { unreadable } from '../http/problem-responses.ts';
import { problemBody } from '../http/problem-schema.ts';
import { docsPage } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';
import { problemPage } from './problem-page.ts';

/** Content security policy of the pages: no scripts, no external resources, no frames. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Generates the documents on the first request, once all routes are registered. They never change afterwards. */
async function makeFiles(http: OpenAPIHono<ApiEnv>) {
  const document = openApiDocument(http);
  return {
    openApi: toFile('application/json', JSON.stringify(document)),
    docs: toFile('text/html; charset=utf-8', (await docsPage(document)).toString()),
  };
}

/** Routes `/openapi.json`, `/docs` and a page for every error. */
export function routeDocuments(http: OpenAPIHono<ApiEnv>): void {
  const files = once(() => makeFiles(http));
  http.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
  });
  http.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'nightshift_session',
    description:
      'The session cookie of the console; see POST /v1/session. It authenticates every operation that an API key does.',
  });
  const page = (description: string) => ({
    description,
    content: { 'text/html': { schema: z.string() } },
  });

  const openApi = createRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: z.looseObject({}) } } },
    },
  });
  http.openapi(openApi, async (c) => sendFile(c, (await files()).openApi) as never);

  const docs = createRoute({
    method: 'get',
    path: '/docs',
    summary: 'Read the API reference',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: page('For people.'),
    },
  });
  http.openapi(docs, async (c) => {
    c.header('Content-Security-Policy', pagePolicy);
    return sendFile(c, (await files()).docs);
  });

  const problem = createRoute({
    method: 'get',
    path: '/errors/{code}',
    summary: 'Read about an error',
    tags: ['Operations'],
    security: [],
    request: { params: z.object({ code: z.string().openapi({ example: 'invalid_api_key' }) }) },
    responses: {
      ...unreadable,
      200: page('For people.'),
      404: {
        description: 'The error code does not exist.',
        content: { 'application/json': { schema: problemBody } },
      },
    },
  });
  http.openapi(problem, (c) => {
    const { code } = c.req.valid('param');
    const known = Object.keys(problemKinds).find((each): each is keyof typeof problemKinds => each === code);
    if (known === undefined) throw new Problem('not_found');
    c.header('Content-Security-Policy', pagePolicy);
    return c.html(problemPage(known));
  });
}

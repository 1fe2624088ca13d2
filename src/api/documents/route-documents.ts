import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../api-env.ts';
import { Problem, problemKinds } from '../problem.ts';
import { unreadable } from '../problem-responses.ts';
import { problemBody } from '../wire/problem.ts';
import { docsPage } from './docs-page.ts';
import { openApiDocument, type OpenApiDocument } from './openapi.ts';
import { problemPage } from './problem-page.ts';

/** Pages have no scripts, ask nobody else for anything, and stand in no frame. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json`, `/docs`, and a page for every error. */
export function routeDocuments(http: OpenAPIHono<ApiEnv>): void {
  let made: OpenApiDocument | undefined;
  const document = () => (made ??= openApiDocument(http));
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
      'For the pages of this service; see POST /v1/session. It opens every operation that an API key does.',
  });
  const page = (description: string) => ({
    description,
    content: { 'text/html': { schema: z.string() } },
  });

  const openApi = createRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: z.looseObject({}) } } },
    },
  });
  http.openapi(openApi, (c) => c.json(document() as unknown as Record<string, unknown>, 200));

  const docs = createRoute({
    method: 'get',
    path: '/docs',
    summary: 'This document as a page',
    tags: ['Operations'],
    security: [],
    responses: {
      ...unreadable,
      200: page('For people.'),
    },
  });
  http.openapi(docs, (c) => {
    c.header('Content-Security-Policy', pagePolicy);
    return c.html(docsPage(document()));
  });

  const problem = createRoute({
    method: 'get',
    path: '/errors/{code}',
    summary: 'What an error means',
    tags: ['Operations'],
    security: [],
    request: { params: z.object({ code: z.string().openapi({ example: 'invalid_api_key' }) }) },
    responses: {
      ...unreadable,
      200: page('For people.'),
      404: {
        description: 'There is no such code.',
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

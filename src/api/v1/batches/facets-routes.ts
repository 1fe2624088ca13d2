import { createRoute, z } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { batchId } from './schema.ts';
import { facetsBody, toFacetsBody } from './facets-schema.ts';

/** Batches whose facets one process counts at a time. */
const countLimits = { total: 2, perAccount: 1, waitingPerAccount: 8, what: 'counts' };

/** Routes `GET /v1/batches/{id}/facets`: the values of the filters of a batch. */
export function routeFacets({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(countLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/facets',
    summary: 'Count the filter values of a batch',
    description:
      'Returns the values that the filters of rows, ads and exports can have in this batch, with their counts. The counts of a finished or cancelled batch are computed once.',
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: z.strictObject({}) },
    responses: {
      200: { description: 'The counts.', content: { 'application/json': { schema: facetsBody } } },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { accountId } = c.var.caller;
    const facets = await turns.take(accountId, () => services.batches.results.facets.read(accountId, id));
    return c.json(toFacetsBody(facets), 200);
  });
}

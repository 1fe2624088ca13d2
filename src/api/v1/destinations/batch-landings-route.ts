import { createRoute, z } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { batchId } from '../batches/schema.ts';
import { landingBody, toLandingBody } from './schema.ts';

const batchLandingsBody = z.object({ landings: z.array(landingBody) }).openapi('BatchLandings');

/** Route `GET /v1/batches/{id}/landings`: the landings of a batch in all destinations. */
export function routeBatchLandings({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/landings',
    summary: 'List the landings of a batch',
    description:
      'Returns the landings of a batch in every destination, oldest destination first, without those of removed destinations. A batch has none before it has finished.',
    tags: ['Destinations'],
    middleware: guards.read('batches:read'),
    request: { params: batchId },
    responses: {
      200: {
        description: 'All landings.',
        content: { 'application/json': { schema: batchLandingsBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const batch = await services.batches.pages.readSummary(c.var.caller.accountId, c.req.valid('param').id);
    const landings = await services.destinations.service.listOfBatch(batch.batchId);
    return c.json({ landings: landings.map(toLandingBody) }, 200);
  });
}

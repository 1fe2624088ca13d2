import { createRoute, z } from '@hono/zod-openapi';
import type { LandingReplay } from '../../../core/destinations/destination-store.ts';
import { landingStates } from '../../../core/destinations/landing.ts';
import { readAge } from '../../../core/time/parse-age.ts';
import { postHeaders } from '../../http/headers.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { text } from '../../http/text.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { destinationOf } from './routes.ts';
import {
  destinationId,
  landingListBody,
  landingReplayBody,
  landingReplayRequest,
  testedDestinationBody,
  toLandingBody,
  toTestedDestinationBody,
  type LandingReplayRequest,
} from './schema.ts';

const tags = ['Destinations'];

/** Routes `/v1/destinations/{id}/landings`, `test` and `replay`: the landings of a destination. */
export function routeLandings(router: Router): void {
  routeList(router);
  routeTest(router);
  routeReplay(router);
}

function routeList({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'get',
    path: '/v1/destinations/{id}/landings',
    summary: 'List the landings of a destination',
    description: 'Returns the landings of a destination, newest first, with their state and last error.',
    tags,
    middleware: guards.read('admin'),
    request: {
      params: destinationId,
      query: z.strictObject({
        ...pageQuery(1000, 100),
        state: z.enum(landingStates).optional(),
        batch: text().max(100).optional().openapi({ description: 'Landings of this batch only.' }),
      }),
    },
    responses: {
      200: {
        description: 'A page of landings.',
        content: { 'application/json': { schema: landingListBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    const { limit, after: before = null, state = null, batch = null } = c.req.valid('query');
    const found = await service.listLandings(accountId, id, { limit: limit + 1, before, state, batch });
    if (found === null) throw badCursor();
    const { items, next } = cutPage(found, limit, ({ contentKey }) => contentKey);
    return c.json({ landings: items.map(toLandingBody), next }, 200);
  });
}

function routeTest({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'post',
    path: '/v1/destinations/{id}/test',
    summary: 'Test a destination',
    description:
      'Writes a small file and removes it, or creates a table and rolls back, and returns the result within 25 seconds. Also for a disabled destination.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: destinationId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: {
        description: 'The result of the test.',
        content: { 'application/json': { schema: testedDestinationBody } },
      },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    // The test has its own time limit, which is shorter than the shutdown of the server.
    const { signal } = new AbortController();
    const tested = await service.test(accountId, id, signal);
    return c.json(toTestedDestinationBody(tested), 200);
  });
}

function routeReplay({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'post',
    path: '/v1/destinations/{id}/replay',
    summary: 'Land batches again',
    description:
      'Writes batches again, immediately and with all attempts: one batch, all dead landings, or all batches of a period that have not landed.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: destinationId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: landingReplayRequest } } },
    },
    responses: {
      200: {
        description: 'The number of landings.',
        content: { 'application/json': { schema: landingReplayBody } },
      },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    // An unknown destination is reported first, whatever the body.
    await service.find(accountId, id);
    const replay = readReplay(c.req.valid('json'));
    return c.json({ replayed: await service.replay(accountId, id, replay) }, 200);
  });
}

function readReplay({ batch_id: batch, dead, since }: LandingReplayRequest): LandingReplay {
  const given: readonly LandingReplay[] = [
    ...(batch === undefined ? [] : [{ kind: 'batch', batch } as const]),
    ...(dead === true ? [{ kind: 'dead' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', ageMs: readAge(since, 'since:') } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new Problem('validation_error', { titles: ['batch_id, dead, since: give exactly one of them'] });
}

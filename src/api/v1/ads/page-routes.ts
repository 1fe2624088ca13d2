import { createRoute, z } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import {
  adId,
  adPageBody,
  observationListBody,
  toAdKey,
  toAdPageBody,
  toObservationBody,
} from './page-schema.ts';
import { formatLookupCursor, parseLookupCursor } from '../fields/lookup-cursor.ts';
import { cutPage, pageQuery } from '../../http/pages.ts';

/** `GET /v1/ads/{id}`, and who saw it. */
export function routeAdPage({ http, guards, services }: Router): void {
  const one = createRoute({
    method: 'get',
    path: '/v1/ads/{id}',
    summary: 'Read an ad',
    description: `An ad with its versions: how it looked to the lookups of the account, and what changed. Gathered from the newest 10,000 of them that saw
ads of its advertiser. What only others saw is not there. Free.`,
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { params: adId, query: z.strictObject({}) },
    responses: {
      200: { description: 'The ad.', content: { 'application/json': { schema: adPageBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(one, async (c) => {
    const key = toAdKey(c.req.valid('param').id);
    return c.json(
      toAdPageBody(await services.batches.results.histories.read(c.var.caller.accountId, key)),
      200,
    );
  });

  const observations = createRoute({
    method: 'get',
    path: '/v1/ads/{id}/observations',
    summary: 'List who saw an ad',
    description:
      'Every lookup of the account that saw the ad, the newest first: of which batch, scan and schedule, and which version. Free.',
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { params: adId, query: z.strictObject(pageQuery(200, 50)) },
    responses: {
      200: {
        description: 'A page of them.',
        content: { 'application/json': { schema: observationListBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(observations, async (c) => {
    const key = toAdKey(c.req.valid('param').id);
    const { limit, after } = c.req.valid('query');
    const page = { limit: limit + 1, before: parseLookupCursor(after) };
    const found = await services.batches.results.histories.listObservations(
      c.var.caller.accountId,
      key,
      page,
    );
    const { items, next } = cutPage(found, limit, ({ lookupId }) => formatLookupCursor(lookupId));
    return c.json({ observations: items.map(toObservationBody), next }, 200);
  });
}

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

/** Routes `GET /v1/ads/{id}` and the observations of the ad. */
export function routeAdPage({ http, guards, services }: Router): void {
  const one = createRoute({
    method: 'get',
    path: '/v1/ads/{id}',
    summary: 'Read an ad',
    description: `Returns an ad with its versions: its content as the lookups of the account observed it, and what changed. Gathered from the newest 10,000 of them that saw
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
    summary: 'List the observations of an ad',
    description:
      'Returns every lookup of the account that observed the ad, newest first, with its batch, scan, schedule and the observed version. Free.',
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { params: adId, query: z.strictObject(pageQuery(200, 50)) },
    responses: {
      200: {
        description: 'A page of observations.',
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

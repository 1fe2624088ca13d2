import { createRoute } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import {
  adListBody,
  adsQuery,
  formatAdCursor,
  parseAdCursor,
  toAdFilter,
  toSeenAdBody,
} from './list-schema.ts';
import { cutPage } from '../../http/pages.ts';

/** `GET /v1/ads`: what the account's lookups have found. */
export function routeAdsList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/ads',
    summary: 'List ads',
    description:
      'The ads that the lookups of the account have found, as they looked then, those of the newest lookup first; of one batch in the order of its rows. Free.',
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { query: adsQuery },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: adListBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, ...query } = c.req.valid('query');
    const filter = toAdFilter(query);
    const page = { limit: limit + 1, after: parseAdCursor(after, filter) };
    const found = await services.batches.ads.list(c.var.caller.accountId, filter, page);
    const { items, next } = cutPage(found, limit, formatAdCursor);
    return c.json({ ads: items.map(toSeenAdBody), next }, 200);
  });
}

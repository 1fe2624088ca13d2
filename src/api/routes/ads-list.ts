import { createRoute, type z } from '@hono/zod-openapi';
import type { AdFilter } from '../../core/ads/ad-list.ts';
import { problemResponses } from '../problem-responses.ts';
import type { Router } from '../router.ts';
import { adListBody, adsQuery, formatAdCursor, parseAdCursor, toSeenAdBody } from '../wire/ads-list.ts';
import { companyKeyOf } from '../wire/company-query.ts';
import { cutPage } from '../wire/pages.ts';

/** `GET /v1/ads`: what the account's lookups have found. */
export function routeAdsList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/ads',
    summary: 'List ads',
    description:
      'The ads that the lookups of the account have found, as they looked then, those of the newest lookup first. Free.',
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { query: adsQuery },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: adListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const page = { limit: query.limit + 1, after: parseAdCursor(query.after) };
    const found = await services.ads.list(c.var.caller.accountId, filterOf(query), page);
    const { items, next } = cutPage(found, query.limit, formatAdCursor);
    return c.json({ ads: items.map(toSeenAdBody), next }, 200);
  });
}

function filterOf(query: z.infer<typeof adsQuery>): AdFilter {
  return {
    companyKey: companyKeyOf(query),
    advertiserId: query.advertiser_id ?? null,
    format: query.format ?? null,
    seenSince: query.seen_since ?? null,
  };
}

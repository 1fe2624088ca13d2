import { createRoute } from '@hono/zod-openapi';
import { rejectUnknownRows } from '../../../core/rows/parse-row-ranges.ts';
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

/** Routes `GET /v1/ads`: the ads that the account's lookups found. */
export function routeAdsList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/ads',
    summary: 'List ads',
    description:
      'Returns the ads that the lookups of the account found, as observed then. Ads of the newest lookup come first; ads of one batch are in the order of its rows. Free.',
    tags: ['Ads'],
    middleware: guards.read('batches:read'),
    request: { query: adsQuery },
    responses: {
      200: { description: 'A page of ads.', content: { 'application/json': { schema: adListBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, ...query } = c.req.valid('query');
    const filter = toAdFilter(query);
    if (filter.rows !== null && filter.batch !== null) {
      const { rows } = await services.batches.pages.readSummary(c.var.caller.accountId, filter.batch);
      rejectUnknownRows(filter.rows, rows.total);
    }
    const page = { limit: limit + 1, after: parseAdCursor(after, filter) };
    const found = await services.batches.ads.list(c.var.caller.accountId, filter, page);
    const { items, next } = cutPage(found, limit, formatAdCursor);
    return c.json({ ads: items.map(toSeenAdBody), next }, 200);
  });
}

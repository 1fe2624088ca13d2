import { createRoute, type z } from '@hono/zod-openapi';
import type { ChangeFilter } from '../../core/scans/change-list.ts';
import { problemResponses } from '../problem-responses.ts';
import type { Router } from '../router.ts';
import { companyKeyOf } from '../wire/company-query.ts';
import {
  changesBody,
  changesQuery,
  formatChangePlace,
  parseChangePlace,
  toChangeBody,
} from '../wire/changes.ts';
import { cutPage } from '../wire/pages.ts';

/** `GET /v1/changes`: what the scans of the account's schedules found to have changed. */
export function routeChanges({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/changes',
    summary: 'List changes',
    description:
      'What changed from one scan of a schedule to the next: ads that are new, ended, came back or look otherwise, those of the newest scan ' +
      'first. What was there at the first scan is no news, and told only when it is asked for. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changesQuery },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: changesBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const page = { limit: query.limit + 1, after: parseChangePlace(query.after) };
    const found = await services.changes.list(c.var.caller.accountId, filterOf(query), page);
    const { items, next } = cutPage(found, query.limit, ({ place }) => formatChangePlace(place));
    return c.json({ changes: items.map(toChangeBody), next }, 200);
  });
}

function filterOf(query: z.infer<typeof changesQuery>): ChangeFilter {
  return {
    schedule: query.schedule ?? null,
    kinds: query.kind ?? null,
    companyKey: companyKeyOf(query),
    since: query.since === undefined ? null : new Date(query.since),
    ageMsMax: null,
  };
}

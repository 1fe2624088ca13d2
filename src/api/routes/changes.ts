import { createRoute, type z } from '@hono/zod-openapi';
import { readSince } from '../../core/read-since.ts';
import { formatChangeCursor, parseChangeCursor } from '../../core/scans/change-cursor.ts';
import type { ChangeCursor, ChangeFilter } from '../../core/scans/change-list.ts';
import { newsKinds, readKinds } from '../../core/scans/read-kinds.ts';
import { problemResponses } from '../problem-responses.ts';
import type { Router } from '../router.ts';
import { changeListBody, changesQuery, toChangeBody } from '../wire/changes.ts';
import { readCompanyFilter } from '../wire/company-filter.ts';
import { badCursor, cutPage } from '../wire/pages.ts';

/** `GET /v1/changes`: what the scans of the account's schedules found new, ended or changed. */
export function routeChanges({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/changes',
    summary: 'List changes',
    description:
      'What the scans of the account’s schedules found out: ads that are new, came back, ended or look otherwise. The newest scan first, within a scan by company. What is listed is never taken back. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changesQuery },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: changeListBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const page = { limit: query.limit + 1, after: readAfter(query.after) };
    const found = await services.changes.list(c.var.caller.accountId, filterOf(query), page);
    const { items, next } = cutPage(found, query.limit, formatChangeCursor);
    return c.json({ changes: items.map(toChangeBody), next }, 200);
  });
}

function filterOf(query: z.infer<typeof changesQuery>): ChangeFilter {
  const { schedule = null, kind, since } = query;
  return {
    schedule,
    kinds: kind === undefined ? newsKinds : readKinds(kind, 'kind:'),
    companyKey: readCompanyFilter(query),
    since: since === undefined ? null : readSince(since, 'since:'),
  };
}

function readAfter(text: string | undefined): ChangeCursor | null {
  if (text === undefined) return null;
  const after = parseChangeCursor(text);
  if (after === null) throw badCursor();
  return after;
}

import { createRoute } from '@hono/zod-openapi';
import {
  formatChangeCursor,
  formatChangedDayCursor,
  parseChangeCursor,
  parseChangedDayCursor,
} from '../../../core/changes/change-cursor.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { companyKeyOf } from '../fields/company-query.ts';
import { routeChangesExport } from './export-routes.ts';
import { filterOf } from './filter.ts';
import {
  changedDaysBody,
  changedDaysQuery,
  changesBody,
  changesQuery,
  toChangeBody,
  toChangedDay,
} from './schema.ts';
import { badCursor, cutPage } from '../../http/pages.ts';

/** Routes `GET /v1/changes`, the changes that scans of the account's schedules found, their numbers by day, and their export. */
export function routeChanges(router: Router): void {
  routeList(router);
  routeDays(router);
  routeChangesExport(router);
}

function routeList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/changes',
    summary: 'List changes',
    description:
      'Returns the changes from one scan of a schedule to the next: new, ended, reactivated and changed ads, those of the newest scan ' +
      'first. Ads of the first scan are of the kind `baseline`, which is returned only if `kind` names it. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changesQuery },
    responses: {
      200: { description: 'A page of changes.', content: { 'application/json': { schema: changesBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const page = { limit: query.limit + 1, after: readAfter(query.after, parseChangeCursor) };
    const found = await services.schedules.changes.list(c.var.caller.accountId, filterOf(query), page);
    const { items, next } = cutPage(found, query.limit, ({ place }) => formatChangeCursor(place));
    return c.json({ changes: items.map(toChangeBody), next }, 200);
  });
}

function routeDays({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/changes/days',
    summary: 'Count changes by day',
    description:
      'Returns the numbers of new, reactivated, ended and changed ads by schedule and by the day on which scans began, newest day first. ' +
      'Days without a scan are omitted; days without a change are not. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changedDaysQuery },
    responses: {
      200: { description: 'A page of days.', content: { 'application/json': { schema: changedDaysBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const filter = {
      schedule: query.schedule ?? null,
      companyKey: companyKeyOf(query),
      timeZone: parseTimeZone(query.time_zone, 'time_zone').name,
    };
    const page = { limit: query.limit + 1, after: readAfter(query.after, parseChangedDayCursor) };
    const found = await services.schedules.changes.days(c.var.caller.accountId, filter, page);
    const { items, next } = cutPage(found, query.limit, ({ place }) => formatChangedDayCursor(place));
    return c.json({ days: items.map(toChangedDay), next }, 200);
  });
}

function readAfter<Place>(text: string | undefined, parse: (text: string) => Place | null): Place | null {
  if (text === undefined) return null;
  const after = parse(text);
  if (after === null) throw badCursor();
  return after;
}

import { createRoute, type z } from '@hono/zod-openapi';
import { readSince } from '../../../core/time/parse-since.ts';
import {
  formatChangeCursor,
  formatChangedDayCursor,
  parseChangeCursor,
  parseChangedDayCursor,
} from '../../../core/changes/change-cursor.ts';
import type { ChangeFilter } from '../../../core/changes/change-list.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { companyKeyOf } from '../fields/company-query.ts';
import {
  changedDaysBody,
  changedDaysQuery,
  changesBody,
  changesQuery,
  toChangeBody,
  toChangedDay,
} from './schema.ts';
import { badCursor, cutPage } from '../../http/pages.ts';

/** `GET /v1/changes`: what the scans of the account's schedules found to have changed; and `GET /v1/changes/days`: how much, by day. */
export function routeChanges(router: Router): void {
  routeList(router);
  routeDays(router);
}

function routeList({ http, guards, services }: Router): void {
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
      'How many ads are new, came back, ended or look otherwise, by the day on which scans began and by schedule; the newest day first. ' +
      'Days without a scan are left out, those on which nothing changed are not. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changedDaysQuery },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: changedDaysBody } } },
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

function filterOf(query: z.infer<typeof changesQuery>): ChangeFilter {
  const { name: timeZone } = parseTimeZone(query.time_zone, 'time_zone');
  return {
    schedule: query.schedule ?? null,
    kinds: query.kind ?? null,
    companyKey: companyKeyOf(query),
    since: query.since === undefined ? null : readSince(query.since, 'since:'),
    scan: query.scan ?? null,
    day: query.day === undefined ? null : { day: query.day, timeZone },
  };
}

function readAfter<Place>(text: string | undefined, parse: (text: string) => Place | null): Place | null {
  if (text === undefined) return null;
  const after = parse(text);
  if (after === null) throw badCursor();
  return after;
}

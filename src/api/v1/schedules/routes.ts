import { createRoute, z } from '@hono/zod-openapi';
import { NotFound } from '../../../core/errors.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';
import {
  scanListBody,
  scheduleBody,
  scheduleId,
  scheduleListBody,
  patternBody,
  patternQuery,
  timesBody,
  timesOf,
  timesQuery,
  toScanRunBody,
  toScheduleBody,
} from './schema.ts';
import { standardZone } from './terms-schema.ts';

/** Routes `GET /v1/schedules`, a schedule, its next times, its scans, and the preview of a cron pattern. */
export function routeSchedules(router: Router): void {
  routeList(router);
  routeOne(router);
  routeTimes(router);
  routeScans(router);
  routePattern(router);
}

function routeList({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules',
    summary: 'List schedules',
    description: 'Returns the schedules of the account, newest first, without removed ones.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: z.strictObject(pageQuery(100, 20)) },
    responses: {
      200: {
        description: 'A page of schedules.',
        content: { 'application/json': { schema: scheduleListBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after } = c.req.valid('query');
    const found = await schedules.list(c.var.caller.accountId, limit + 1, after).catch(asBadCursor);
    const { items, next } = cutPage(found, limit, ({ publicId }) => publicId);
    return c.json({ schedules: items.map(toScheduleBody), next }, 200);
  });
}

function routeOne({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}',
    summary: 'Read a schedule',
    description: 'Returns a schedule with its newest scan.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { params: scheduleId },
    responses: {
      200: { description: 'The schedule.', content: { 'application/json': { schema: scheduleBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(toScheduleBody(await schedules.read(c.var.caller.accountId, id)), 200);
  });
}

function routeTimes({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}/next',
    summary: 'List the next times of a schedule',
    description:
      'Returns the next times of the pattern in the time zone of the schedule, with both transitions of daylight saving time. A paused schedule runs at none of them.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { params: scheduleId, query: timesQuery },
    responses: {
      200: { description: 'The times.', content: { 'application/json': { schema: timesBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { count, from } = c.req.valid('query');
    const schedule = await schedules.read(c.var.caller.accountId, c.req.valid('param').id);
    const after = from === undefined ? schedule.readAt : new Date(from);
    return c.json(timesOf(schedule, count, after), 200);
  });
}

function routeScans({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}/scans',
    summary: 'List the scans of a schedule',
    description:
      'Returns the scans of the schedule, newest first, each with its batch, its results and its cost. Skipped and missed times are included, with the reason.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { params: scheduleId, query: z.strictObject(pageQuery(100, 20)) },
    responses: {
      200: { description: 'A page of scans.', content: { 'application/json': { schema: scanListBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const { publicId } = await schedules.read(accountId, c.req.valid('param').id);
    const found = await schedules.listScans(accountId, publicId, limit + 1, after).catch(asBadCursor);
    const { items, next } = cutPage(found, limit, (scan) => scan.publicId);
    const results = await schedules.readResults(
      accountId,
      items.map(({ scanId }) => scanId),
    );
    const runs = items.map((scan) => toScanRunBody(scan, results.get(scan.scanId)));
    return c.json({ scans: runs, next }, 200);
  });
}

function routePattern({ http, guards }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/schedule-times',
    summary: 'Preview a cron pattern',
    description:
      'Returns a cron pattern as text, and its next times in a time zone. Use it to check a pattern before you create a schedule with it.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: patternQuery },
    responses: {
      200: {
        description: 'The text and the times.',
        content: { 'application/json': { schema: patternBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, (c) => {
    const { cron: text, time_zone: zone = standardZone, count, from } = c.req.valid('query');
    const pattern = parseCron(text, 'cron');
    const { name: timeZone } = parseTimeZone(zone, 'time_zone');
    const after = from === undefined ? new Date() : new Date(from);
    const times = timesOf({ cron: pattern.text, timeZone, readAt: after }, count);
    return c.json(
      { cron: pattern.text, description: describeCron(pattern), time_zone: timeZone, ...times },
      200,
    );
  });
}

function asBadCursor(error: unknown): never {
  throw error instanceof NotFound ? badCursor() : error;
}

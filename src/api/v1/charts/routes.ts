import { createRoute } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { batchId } from '../batches/schema.ts';
import {
  batchChartsBody,
  chartsQuery,
  scheduleChartsBody,
  toBatchCharts,
  toScheduleCharts,
} from './schema.ts';
import { scheduleId } from '../schedules/schema.ts';

const howItIsKept =
  'Of a large list it is counted once and kept: `as_of` says when, and `is_current` whether more has happened since. Free.';

/** `GET /v1/batches/{id}/charts` and `GET /v1/schedules/{id}/charts`: what reports draw, as numbers. */
export function routeCharts(router: Router): void {
  routeBatchCharts(router);
  routeScheduleCharts(router);
}

function routeBatchCharts({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/charts',
    summary: 'Read the charts of a batch',
    description: `What came of its companies, and of the ads that were found how many ran by day, of which format, and for how long. The days end with the
newest one that an ad was seen on; they are what sources say, who know of the last few days less than they will. ${howItIsKept}`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: chartsQuery },
    responses: {
      200: { description: 'The numbers.', content: { 'application/json': { schema: batchChartsBody } } },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { days } = c.req.valid('query');
    const charts = await services.batches.charts.readBatch(
      c.var.caller.accountId,
      c.req.valid('param').id,
      days,
    );
    return c.json(toBatchCharts(charts), 200);
  });
}

function routeScheduleCharts({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}/charts',
    summary: 'Read the charts of a schedule',
    description: `How many ads ran by day, what began and ended, and what runs now: of which format, for how long, and of which companies. The days end with
the newest scan. Of a removed schedule too, by its id. ${howItIsKept}`,
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { params: scheduleId, query: chartsQuery },
    responses: {
      200: { description: 'The numbers.', content: { 'application/json': { schema: scheduleChartsBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { days } = c.req.valid('query');
    const charts = await services.batches.charts.readSchedule(
      c.var.caller.accountId,
      c.req.valid('param').id,
      days,
    );
    return c.json(toScheduleCharts(charts), 200);
  });
}

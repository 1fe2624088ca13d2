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
  'For a large batch or schedule the data is computed once and stored: `as_of` is the time, and `is_current` is false if it has changed since. Free.';

/** Routes `GET /v1/batches/{id}/charts` and `GET /v1/schedules/{id}/charts`: the data of the charts in reports. */
export function routeCharts(router: Router): void {
  routeBatchCharts(router);
  routeScheduleCharts(router);
}

function routeBatchCharts({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/charts',
    summary: 'Read the chart data of a batch',
    description: `Returns the outcomes of the companies, and for the ads found: the number of running ads by day, their formats and durations. The window
ends with the newest day on which an ad was seen. Days are those that sources report, which are incomplete for the last few days.
${howItIsKept}`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: chartsQuery },
    responses: {
      200: { description: 'The chart data.', content: { 'application/json': { schema: batchChartsBody } } },
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
    summary: 'Read the chart data of a schedule',
    description: `Returns the number of running ads by day, the ads that began and ended, and the running ads by format, duration and company. The window
ends with the newest scan. A removed schedule is available by its id. ${howItIsKept}`,
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { params: scheduleId, query: chartsQuery },
    responses: {
      200: {
        description: 'The chart data.',
        content: { 'application/json': { schema: scheduleChartsBody } },
      },
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

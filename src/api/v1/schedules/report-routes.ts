import { createRoute, z } from '@hono/zod-openapi';
import { documentFormats } from '../../../reporter/documents/document-format.ts';
import { pagePolicy } from '../../../reporter/documents/html/page.ts';
import { daysMax, daysUsual, makeScheduleReport } from '../../../reporter/documents/make-report.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { scheduleId } from './schema.ts';

/** Reports that one process creates at a time. Each aggregates all data of a schedule. */
const reportLimits = { total: 2, perAccount: 1, waitingPerAccount: 10, what: 'reports' };

const mediaTypes = { html: 'text/html', md: 'text/markdown' } as const;

/** Routes `GET /v1/schedules/{id}/report`: the report that the command line writes. */
export function routeScheduleReport({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(reportLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}/report',
    summary: 'Create the report of a schedule',
    description: `Returns a report on the scans of the last days and their changes, as one self-contained HTML file, which loads nothing from other hosts,
or as Markdown. A removed schedule is available by its id. The same data gives the same bytes.`,
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: {
      params: scheduleId,
      query: z.strictObject({
        format: z.enum(documentFormats).default('html'),
        days: z.coerce
          .number()
          .int()
          .min(1)
          .max(daysMax)
          .default(daysUsual)
          .openapi({
            type: 'integer',
            minimum: 1,
            maximum: daysMax,
            default: daysUsual,
            description: `Length of the period in days, from 1 to ${daysMax}.`,
          }),
      }),
    },
    responses: {
      200: {
        description: 'The report.',
        content: { 'text/html': { schema: z.string() }, 'text/markdown': { schema: z.string() } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { format, days } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const { id } = c.req.valid('param');
    const { text } = await turns.take(accountId, () =>
      makeScheduleReport(services.batches.reportData, id, { accountId, format, days }),
    );
    return c.body(text, 200, {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="schedule-report.${format}"`,
      // For clients that display it: the policy of the page itself, and no framing.
      'Content-Security-Policy': `${pagePolicy(false)}; frame-ancestors 'none'`,
    });
  });
}

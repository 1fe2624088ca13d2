import { createRoute, z } from '@hono/zod-openapi';
import { documentFormats } from '../../../reporter/documents/document-format.ts';
import { pagePolicy } from '../../../reporter/documents/html/page.ts';
import { daysMax, daysUsual, makeScheduleReport } from '../../../reporter/documents/make-report.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { scheduleId } from './schema.ts';

/** Reports that one process makes at a time: each counts over all that is known of a list. */
const reportLimits = { total: 2, perAccount: 1, waitingPerAccount: 10, what: 'reports' };

const mediaTypes = { html: 'text/html', md: 'text/markdown' } as const;

/** `GET /v1/schedules/{id}/report`: the scans of a schedule as a page for people, the same that the command line writes. */
export function routeScheduleReport({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(reportLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/schedules/{id}/report',
    summary: 'Report on a schedule',
    description: `What its scans of the last days found and changed, as one HTML file for people that is whole in itself and asks nobody for anything, or
as Markdown. Of a removed schedule too, by its id. The same data give the same bytes.`,
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
            description: `The last so many days, up to ${daysMax}.`,
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
      // For whoever shows it in a browser all the same: what the page says of itself, and that it stands in no frame.
      'Content-Security-Policy': `${pagePolicy(false)}; frame-ancestors 'none'`,
    });
  });
}

import { createRoute, z } from '@hono/zod-openapi';
import { documentFormats } from '../../../reporter/documents/document-format.ts';
import { pagePolicy } from '../../../reporter/documents/html/page.ts';
import { makeBatchReport } from '../../../reporter/documents/make-report.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { batchId } from './schema.ts';

/** Reports that one process makes at a time: each counts over all ads of a list. */
const reportLimits = { total: 2, perAccount: 1, waitingPerAccount: 10, what: 'reports' };

const mediaTypes = { html: 'text/html', md: 'text/markdown' } as const;

/** `GET /v1/batches/{id}/report`: the batch as a page for people, the same that the command line writes. */
export function routeBatchReport({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(reportLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/report',
    summary: 'Report on a batch',
    description: `One HTML file for people that is whole in itself and asks nobody for anything, or Markdown. It shows the first 5,000 companies and ads
(100 in Markdown) and says how many there are; the export has them all. The same data give the same bytes.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      query: z.strictObject({
        format: z.enum(documentFormats).default('html'),
        images: z.enum(['true', 'false']).default('false').openapi({
          description:
            'HTML: with pictures of ads, which the browser of whoever opens it fetches from Google’s hosts.',
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
    const { id } = c.req.valid('param');
    const { format, images } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const withPictures = images === 'true';
    const { text } = await turns.take(accountId, () =>
      makeBatchReport(services.batches.reportData, id, { accountId, format, withPictures }),
    );
    return c.body(text, 200, {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${id}-report.${format}"`,
      // For whoever shows it in a browser all the same: what the page says of itself, and that it stands in no frame.
      'Content-Security-Policy': `${pagePolicy(withPictures)}; frame-ancestors 'none'`,
    });
  });
}

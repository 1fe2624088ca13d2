import { createRoute, z } from '@hono/zod-openapi';
import { documentFormats } from '../../../reporter/documents/document-format.ts';
import { pagePolicy } from '../../../reporter/documents/html/page.ts';
import { makeBatchReport } from '../../../reporter/documents/make-report.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { attachmentOf } from './download-name.ts';
import { batchId } from './schema.ts';

/** Reports that one process creates at a time. Each aggregates all ads of a batch. */
const reportLimits = { total: 2, perAccount: 1, waitingPerAccount: 10, what: 'reports' };

const mediaTypes = { html: 'text/html', md: 'text/markdown' } as const;

/** Routes `GET /v1/batches/{id}/report`: the report that the command line writes. */
export function routeBatchReport({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(reportLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/report',
    summary: 'Create the report of a batch',
    description: `Returns a report as one self-contained HTML file, which loads nothing from other hosts, or as Markdown. It shows the first 5,000 companies
and ads (100 in Markdown) and their total numbers; the export has all of them. The same data gives the same bytes.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      query: z.strictObject({
        format: z.enum(documentFormats).default('html'),
        images: z.enum(['true', 'false']).default('false').openapi({
          description:
            'HTML only: include pictures of ads. The reader’s browser loads them from hosts of Google.',
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
    const batch = await services.batches.pages.readSummary(accountId, id);
    const { text } = await turns.take(accountId, () =>
      makeBatchReport(services.batches.reportData, id, { accountId, format, withPictures }),
    );
    return c.body(text, 200, {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': attachmentOf(batch, { content: 'report', extension: format }),
      // For clients that display it: the policy of the page itself, and no framing.
      'Content-Security-Policy': `${pagePolicy(withPictures)}; frame-ancestors 'none'`,
    });
  });
}

import type { Writable } from 'node:stream';
import { createRoute } from '@hono/zod-openapi';
import type { EmailFilter, EmailList, ListedEmail } from '../../../core/validation/email-list.ts';
import { emailsReport } from '../../../reporter/export/emails-report.ts';
import { pour } from '../../../reporter/export/write-report.ts';
import { writeToStream } from '../../../reporter/files/write-to-stream.ts';
import type { ReportFormat } from '../../../reporter/formats/report-format.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { streamAnswer } from '../../http/responses/stream-response.ts';
import { collectOutput, contentTypeOf, reportContents, workbooks } from '../fields/report-format.ts';
import { emailExportQuery, toEmailFilter } from './schema.ts';

/** Downloads that one process writes at a time. Each reads pages while its client reads. */
const downloadLimits = { total: 8, perAccount: 3, waitingPerAccount: 20, what: 'downloads' };
/** Number of verdicts that are read at a time. */
const pageSize = 1000;

/** Routes `GET /v1/emails/export`. */
export function routeEmailsExport({ http, guards, services, log }: Router): void {
  const streams = createConcurrencyLimiter(downloadLimits);
  http.openapi(exportRoute(guards), async (c) => {
    const { format, ...query } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const { requestId } = c.var;
    const { emails } = services.batches.results;
    const filter = toEmailFilter(query);
    // Before the response begins, so that an unknown batch is an error response.
    const first = await emails.list(accountId, filter, { limit: pageSize, before: null });
    const headers = {
      'Content-Type': contentTypeOf(format),
      'Content-Disposition': `attachment; filename="${fileNameOf(format)}"`,
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const write = (target: Writable, signal?: AbortSignal) =>
      pour(
        emailsReport(readPages(emails, accountId, { filter, first })),
        { format, ...(signal === undefined ? {} : { signal }) },
        { gzip: false, write: (bytes) => writeToStream(target, bytes, signal) },
      );
    // Built completely before the response begins, so that a rejection is an error response.
    if (format === 'xlsx') {
      const { signal } = c.req.raw;
      const workbook = await workbooks.take(accountId, () =>
        collectOutput((target) => write(target, signal)),
      );
      return c.body(workbook, 200, headers);
    }
    streams.requireRoom(accountId);
    const stream = streamAnswer(
      (target) => streams.take(accountId, () => write(target)),
      (error) => log.warn({ requestId, err: error }, 'An export of verdicts was cut off.'),
    );
    return c.body(stream, 200, headers) as never;
  });
}

/** Declares the route. */
function exportRoute(guards: Router['guards']) {
  return createRoute({
    method: 'get',
    path: '/v1/emails/export',
    summary: 'Export e-mail verdicts',
    description:
      'Returns all verdicts that `GET /v1/emails` returns for the same filters, one line each, as CSV, NDJSON, JSON, Parquet or XLSX. The ' +
      'response is streamed: if it does not end as HTTP requires, it is incomplete. XLSX has at most 50,000 lines: a longer export is ' +
      'rejected. In CSV, cells that a spreadsheet would run as a formula are escaped. Free.',
    tags: ['Email'],
    middleware: guards.read('batches:read'),
    request: { query: emailExportQuery },
    responses: {
      200: { description: 'The verdicts.', content: reportContents },
      ...problemResponses('get', 'not_found'),
    },
  });
}

function fileNameOf(format: ReportFormat): string {
  return `emails-${new Date().toISOString().slice(0, 10)}.${format}`;
}

async function* readPages(
  emails: EmailList,
  accountId: number,
  { filter, first }: { readonly filter: EmailFilter; readonly first: readonly ListedEmail[] },
): AsyncGenerator<readonly ListedEmail[]> {
  let page = first;
  while (page.length > 0) {
    yield page;
    if (page.length < pageSize) return;
    const before = page.at(-1)?.lookupId ?? null;
    page = await emails.list(accountId, filter, { limit: pageSize, before });
  }
}

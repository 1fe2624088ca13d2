import type { Writable } from 'node:stream';
import { createRoute, z } from '@hono/zod-openapi';
import { rowsArePurged } from '../../../core/batches/batch.ts';
import { isNarrowed } from '../../../core/batches/result-filter.ts';
import { exportBatch } from '../../../reporter/export/export-batch.ts';
import { reportFormats } from '../../../reporter/formats/report-format.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { streamAnswer } from '../../http/stream-response.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { attachmentOf } from './download-name.ts';
import { batchId } from './schema.ts';
import { collectOutput, contentTypeOf, reportContents, workbooks } from '../fields/report-format.ts';
import { resultFilterQuery, toResultFilter } from '../fields/result-filter.ts';

/** Exports that one process writes at a time. Each holds a database connection while its client reads. */
const exportLimits = { total: 8, perAccount: 3, waitingPerAccount: 20, what: 'exports' };

/** Routes `GET /v1/batches/{id}/export`: the complete batch, streamed. */
export function routeBatchExport({ http, guards, services, log }: Router): void {
  const streams = createConcurrencyLimiter(exportLimits);
  http.openapi(exportRoute(guards), async (c) => {
    const { id } = c.req.valid('param');
    const { format, shape, raw, ...query } = c.req.valid('query');
    const filter = toResultFilter(query);
    const { accountId } = c.var.caller;
    const batch = await services.batches.store.readSummary(accountId, id);
    if (batch.purgedAt !== null) throw rowsArePurged(id, batch.purgedAt);
    const headers = {
      'Content-Type': contentTypeOf(format),
      'Content-Disposition': attachmentOf(batch, {
        content: shape,
        extension: format,
        isFiltered: isNarrowed(filter),
      }),
    };
    // HEAD checks whether a download would be accepted.
    if (c.req.method === 'HEAD') {
      (format === 'xlsx' ? workbooks : streams).requireRoom(accountId);
      return c.body(null, 200, headers);
    }
    const exportTo = (target: Writable, signal?: AbortSignal) =>
      exportBatch(services.batches.reportStore, {
        batch,
        format,
        shape,
        filter,
        raw: raw === 'true',
        target,
        createdAt: new Date(),
        ...(signal === undefined ? {} : { signal }),
      });
    // Built completely before the response begins, so that a rejection is an error response.
    if (format === 'xlsx') {
      const { signal } = c.req.raw;
      const workbook = await workbooks.take(accountId, () =>
        collectOutput((target) => exportTo(target, signal)),
      );
      return c.body(workbook, 200, headers);
    }
    const { requestId } = c.var;
    streams.requireRoom(accountId);
    const stream = streamAnswer(
      (target) => streams.take(accountId, () => exportTo(target)),
      (error) => log.warn({ requestId, err: error }, 'An export was cut off.'),
    );
    return c.body(stream, 200, headers) as never;
  });
}

/** Declares the route. */
function exportRoute(guards: Router['guards']) {
  return createRoute({
    method: 'get',
    path: '/v1/batches/{id}/export',
    summary: 'Export a batch',
    description: `Exports every row of the file in its order, with the columns of the file first. The response is streamed: if it does not end as HTTP
requires, it is incomplete. XLSX has at most 50,000 lines: a longer export is rejected. A finished batch gives the same bytes every time.
With filters the export has the rows that \`GET /v1/batches/{id}/rows\` returns for them or, by ads or variants, the ads that
\`GET /v1/ads\` returns for the batch.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      query: z.strictObject({
        format: z.enum(reportFormats).default('csv'),
        shape: z
          .enum(['rows', 'ads', 'variants'])
          .default('rows')
          .openapi({ description: 'Unit of a line: a row, an ad, or a variant of an ad.' }),
        raw: z.enum(['true', 'false']).default('false').openapi({
          description: 'CSV only: do not escape cells that a spreadsheet would run as a formula.',
        }),
        ...resultFilterQuery,
      }),
    },
    responses: {
      200: {
        description: 'The batch.',
        content: reportContents,
      },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
}

import { createRoute, z } from '@hono/zod-openapi';
import type { RejectedRow } from '../../../core/batches/batch-report.ts';
import { rowsArePurged, type BatchSummary } from '../../../core/batches/batch.ts';
import { readCompanies, type ReadOptions } from '../../../producer/rows/read-companies.ts';
import { rejectedRows } from '../../../producer/preview/rejected-rows.ts';
import { rejectedCsv } from '../../../reporter/export/rejected-csv.ts';
import type { UserColumns } from '../../../reporter/formats/report-row.ts';
import { writeToStream } from '../../../reporter/files/write-to-stream.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { streamAnswer } from '../../http/responses/stream-response.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { toHttpError } from '../../upload/to-http-error.ts';
import { takeUpload } from '../../upload/read-upload.ts';
import { createSpool, type SpooledList } from '../../upload/spool.ts';
import { attachmentOf } from './download-name.ts';
import { batchId } from './schema.ts';
import {
  listContents,
  rejectedOptions,
  rejectedRequest,
  type RejectedOptions,
  type RejectedRequest,
} from '../../upload/schema.ts';

/** Downloads that one process writes at a time. Each holds a connection or a file while its client reads. */
const downloadLimits = { total: 8, perAccount: 3, waitingPerAccount: 20, what: 'downloads' };

const csv = {
  200: {
    description: 'A CSV with the line, the reason and the cells of each rejected row.',
    content: { 'text/csv': { schema: z.string() } },
  },
};

/**
 * Routes `POST /v1/lists/rejected` and `GET /v1/batches/{id}/rejected`: rows without anything to look up, before and after a file is
 * loaded.
 */
export function routeRejectedRows(router: Router): void {
  const streams = createConcurrencyLimiter(downloadLimits);
  const toStream = (c: ApiContext, write: (pour: Pour) => Promise<void>) => {
    const { accountId } = c.var.caller;
    streams.requireRoom(accountId);
    return streamAnswer(
      (target) =>
        streams.take(accountId, () =>
          write(async (user, rows) => {
            for await (const bytes of rejectedCsv(user, rows)) await writeToStream(target, bytes);
          }),
        ),
      (error) =>
        router.log.warn(
          { requestId: c.var.requestId, err: error },
          'A download of rejected rows was cut off.',
        ),
    );
  };
  routeOfList(router, toStream);
  routeOfBatch(router, toStream);
}

/** Writes rows to the response. */
type Pour = (user: UserColumns, rows: AsyncIterable<readonly RejectedRow[]>) => Promise<void>;
type ToStream = (c: ApiContext, write: (pour: Pour) => Promise<void>) => ReadableStream;

function routeOfList({ http, guards, services }: Router, toStream: ToStream): void {
  const spool = createSpool(services.config.home);
  const route = createRoute({
    method: 'post',
    path: '/v1/lists/rejected',
    summary: 'Download the rejected rows of a file',
    description: `Returns all rows of a file that name nothing to look up, as CSV, before it is loaded: the line, the reason, and the cells of the row.
Nothing is stored. The complete file is parsed first: an unreadable file is rejected. Cells that a spreadsheet would run as a formula are
escaped.`,
    tags: ['Batches'],
    middleware: guards.upload('batches:write'),
    request: {
      query: rejectedOptions,
      body: { content: { ...listContents, 'application/json': { schema: rejectedRequest } } },
    },
    responses: { ...csv, ...problemResponses('ask') },
  });
  http.openapi(route, async (c) => {
    // The library has no type for a body with several media types.
    const rows: unknown = c.req.valid('json' as never);
    const query = c.req.valid<'query'>('query');
    const forms = { query, json: rows as RejectedRequest, fields: rejectedOptions };
    return await takeUpload<RejectedOptions, RejectedRequest>(c, spool, forms, async ({ list, reading }) => {
      const user = await toHttpError(columnsOf(list, reading));
      const held = await list.openHeld();
      const stream = toStream(c, async (pour) =>
        pour(user, rejectedRows(await readCompanies(held, reading))),
      );
      return c.body(stream, 200, headersOf('attachment; filename="list-rejected.csv"'));
    });
  });
}

/** Parses the complete file for its columns and the maximum number of cells of a rejected row. */
async function columnsOf(list: SpooledList, reading: ReadOptions): Promise<UserColumns> {
  const file = await readCompanies(list.open(), reading);
  const { header } = file.form;
  let cellsMax = header.length;
  for await (const block of rejectedRows(file))
    for (const { cells } of block) cellsMax = Math.max(cellsMax, cells.length);
  return { header, cellsMax };
}

function routeOfBatch({ http, guards, services }: Router, toStream: ToStream): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/rejected',
    summary: 'Download the rejected rows of a batch',
    description: `Returns all rows of the batch that name nothing to look up, as CSV: the line, the reason, and the cells of the row. The response is
streamed: if it does not end as HTTP requires, it is incomplete. Cells that a spreadsheet would run as a formula are escaped.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: z.strictObject({}) },
    responses: { ...csv, ...problemResponses('get', 'not_found', 'conflict') },
  });
  http.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const batch = await services.batches.pages.readSummary(c.var.caller.accountId, id);
    if (batch.purgedAt !== null) throw rowsArePurged(id, batch.purgedAt);
    if (c.req.method === 'HEAD') return c.body(null, 200, headersOfBatch(batch));
    const stream = toStream(c, (pour) =>
      services.batches.rejectedRows.read(batch.batchId, (rows, form) => pour(form, rows)),
    );
    return c.body(stream, 200, headersOfBatch(batch)) as never;
  });
}

function headersOfBatch(batch: BatchSummary) {
  return headersOf(attachmentOf(batch, { content: 'rejected', extension: 'csv' }));
}

function headersOf(disposition: string) {
  return { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': disposition };
}

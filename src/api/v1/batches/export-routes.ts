import type { Writable } from 'node:stream';
import { createRoute, z } from '@hono/zod-openapi';
import { ValidationError } from '../../../core/errors.ts';
import { excelForm } from '../../../reporter/formats/csv.ts';
import { rowsArePurged } from '../../../core/batches/batch.ts';
import { isNarrowed } from '../../../core/batches/result-filter.ts';
import { rejectUnknownRows } from '../../../core/rows/parse-row-ranges.ts';
import { readSince } from '../../../core/time/parse-since.ts';
import { exportBatch } from '../../../reporter/export/export-batch.ts';
import { exportEnded } from '../../../reporter/export/export-ended.ts';
import { reportFormats, type ReportFormat } from '../../../reporter/formats/report-format.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { streamAnswer } from '../../http/responses/stream-response.ts';
import { createConcurrencyLimiter, type Turns } from '../../http/concurrency-limiter.ts';
import { attachmentOf } from './download-name.ts';
import { batchId } from './schema.ts';
import { collectOutput, contentTypeOf, reportContents, workbooks } from '../fields/report-format.ts';
import { resultFilterQuery, toResultFilter } from '../fields/result-filter.ts';

/** Exports that one process writes at a time. Each holds a database connection while its client reads. */
const exportLimits = { total: 8, perAccount: 3, waitingPerAccount: 20, what: 'exports' };

/** Routes `GET /v1/batches/{id}/export`: the complete batch, streamed, and `GET /v1/rows/export`: what ended in all batches. */
export function routeBatchExport({ http, guards, services, log }: Router): void {
  const limits = {
    streams: createConcurrencyLimiter(exportLimits),
    workbooks,
    log,
  };
  const { pages, reportStore } = services.batches;
  http.openapi(exportRoute(guards), async (c) => {
    const { id } = c.req.valid('param');
    const { format, shape, raw, since, for_excel: forExcel, ...query } = c.req.valid('query');
    if (forExcel === 'true' && format !== 'csv')
      throw new ValidationError(`for_excel is for CSV, and the format is ${format}.`, { where: 'for_excel' });
    const filter = toResultFilter(query);
    const { accountId } = c.var.caller;
    const batch = await pages.readSummary(accountId, id);
    if (batch.purgedAt !== null) throw rowsArePurged(id, batch.purgedAt);
    rejectUnknownRows(filter.rows, batch.rows.total);
    const span = since === undefined ? undefined : await reportStore.openSpan(readSince(since, 'since:'));
    const headers = {
      ...typeOf(format),
      'Content-Disposition': attachmentOf(batch, {
        content: shape,
        extension: format,
        isFiltered: isNarrowed(filter) || span !== undefined,
      }),
      ...(span === undefined ? {} : { [untilHeader]: span.until.toISOString() }),
    };
    return send(c, { format, headers, limits }, (target, signal) =>
      exportBatch(reportStore, {
        batch,
        filter,
        ...(span === undefined ? {} : { span }),
        ...formOf({ format, shape, raw }),
        ...(forExcel === 'true' ? { csv: excelForm(batch.delimiter) } : {}),
        target,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  });
  http.openapi(endedRoute(guards), async (c) => {
    const { format, shape, raw, since } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const span = await reportStore.openSpan(readSince(since, 'since:'));
    const until = span.until.toISOString();
    const headers = {
      ...typeOf(format),
      'Content-Disposition': `attachment; filename="${shape}-until-${until.replace(/[:.]/g, '-')}.${format}"`,
      [untilHeader]: until,
    };
    return send(c, { format, headers, limits }, (target, signal) =>
      exportEnded(reportStore, {
        accountId,
        span,
        ...formOf({ format, shape, raw }),
        target,
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  });
}

/** Header of an increment: the moment to send as `since` next. */
const untilHeader = 'X-Until';

function typeOf(format: ReportFormat) {
  return { 'Content-Type': contentTypeOf(format) };
}

function formOf({ format, shape, raw }: Pick<z.infer<typeof formQuery>, 'format' | 'shape' | 'raw'>) {
  return { format, shape, raw: raw === 'true', createdAt: new Date() };
}

/** Limits of the downloads of one process, and the log of those that were cut off. */
interface Limits extends Pick<Router, 'log'> {
  readonly streams: Turns;
  readonly workbooks: Turns;
}

/** Sends an export: a workbook as a whole, everything else as a stream. */
async function send(
  c: ApiContext,
  {
    format,
    headers,
    limits: { streams, workbooks, log },
  }: {
    readonly format: ReportFormat;
    readonly headers: Record<string, string>;
    readonly limits: Limits;
  },
  exportTo: (target: Writable, signal?: AbortSignal) => Promise<unknown>,
): Promise<never> {
  const { accountId } = c.var.caller;
  // HEAD checks whether a download would be accepted.
  if (c.req.method === 'HEAD') {
    (format === 'xlsx' ? workbooks : streams).requireRoom(accountId);
    return c.body(null, 200, headers) as never;
  }
  // Built completely before the response begins, so that a rejection is an error response.
  if (format === 'xlsx') {
    const { signal } = c.req.raw;
    const workbook = await workbooks.take(accountId, () =>
      collectOutput((target) => exportTo(target, signal)),
    );
    return c.body(workbook, 200, headers) as never;
  }
  const { requestId } = c.var;
  streams.requireRoom(accountId);
  const stream = streamAnswer(
    (target) => streams.take(accountId, () => exportTo(target)),
    (error) => log.warn({ requestId, err: error }, 'An export was cut off.'),
  );
  return c.body(stream, 200, headers) as never;
}

const formQuery = z.strictObject({
  format: z.enum(reportFormats).default('csv'),
  shape: z
    .enum(['rows', 'ads', 'variants'])
    .default('rows')
    .openapi({ description: 'Unit of a line: a row, an ad, or a variant of an ad.' }),
  raw: z.enum(['true', 'false']).default('false').openapi({
    description: 'CSV only: do not escape cells that a spreadsheet would run as a formula.',
  }),
});

const forExcelField = z
  .enum(['true', 'false'])
  .default('false')
  .openapi({
    description:
      'CSV only: write it as Excel opens it where it opened the file of the batch: with the delimiter of the file and a byte order mark, and ' +
      'with `;` also with decimal commas. Default: commas, points, and no byte order mark.',
  });

const sinceField = z
  .string()
  .max(40)
  .openapi({
    example: '2026-11-20T02:00:00.000Z',
    description:
      'Only rows that ended at this time or later: a time, a day in UTC, or an age such as `12h` or `7d`. Send the header `X-Until` of the ' +
      'last export: consecutive exports have every row once.',
  });

/** Declares the route of a batch. */
function exportRoute(guards: Router['guards']) {
  return createRoute({
    method: 'get',
    path: '/v1/batches/{id}/export',
    summary: 'Export a batch',
    description: `Exports every row of the file in its order, with the columns of the file first. The response is streamed: if it does not end as HTTP
requires, it is incomplete. XLSX has at most 50,000 lines: a longer export is rejected. A finished batch gives the same bytes every time.
With filters the export has the rows that \`GET /v1/batches/{id}/rows\` returns for them or, by ads or variants, the ads that
\`GET /v1/ads\` returns for the batch. With \`since\`, the header \`X-Until\` is the moment to send next.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      query: z.strictObject({
        ...formQuery.shape,
        for_excel: forExcelField,
        since: sinceField.optional(),
        ...resultFilterQuery,
      }),
    },
    responses: {
      200: { description: 'The batch.', content: reportContents },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
}

/** Declares the route of all batches. */
function endedRoute(guards: Router['guards']) {
  return createRoute({
    method: 'get',
    path: '/v1/rows/export',
    summary: 'Export what ended since a moment',
    description: `Exports the rows of all batches that ended since a moment, for increments: by batch, oldest first, and each in the order of its file. The
header \`X-Until\` is the moment to send as \`since\` next; consecutive exports have every row once. A retry that ends a row anew exports it again.
The columns are the same for all batches; \`input\` has the cells of the file as a JSON object. The response is streamed: if it does not end as
HTTP requires, it is incomplete, and its moment is not to be used. Free.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { query: formQuery.extend({ since: sinceField }) },
    responses: {
      200: { description: 'The rows.', content: reportContents },
      ...problemResponses('get'),
    },
  });
}

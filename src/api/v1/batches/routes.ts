import { createRoute, z } from '@hono/zod-openapi';
import type { BatchReportStore, ReportPlace } from '../../../core/batches/batch-report.ts';
import { rejectUnknownRows } from '../../../core/rows/parse-row-ranges.ts';
import { parseRowSort } from '../../../core/batches/row-sort.ts';
import { NotFound } from '../../../core/errors.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { toBatchBody, toBatchListBody } from './batch-body.ts';
import { toBatchFilter } from './labels-routes.ts';
import { batchFilters } from './labels-schema.ts';
import { rowListBody, rowSortQuery, toRowListBody } from './rows-schema.ts';
import { batchBody, batchId, batchListBody } from './schema.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';
import { resultFilterQuery, toResultFilter } from '../fields/result-filter.ts';

/** Routes `GET /v1/batches`, a batch, and its rows. */
export function routeBatches({ http, guards, services }: Router): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/batches',
    summary: 'List batches',
    description:
      'Returns the batches of the account, newest first, optionally filtered. Archived ones are left out by default.',
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { query: z.strictObject({ ...pageQuery(100, 20), ...batchFilters }) },
    responses: {
      200: { description: 'A page of batches.', content: { 'application/json': { schema: batchListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(list, async (c) => {
    const { limit, after, ...filters } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const filter = toBatchFilter(filters);
    const found = await services.batches.pages
      .listSummaries(accountId, limit + 1, after, filter)
      .catch((error: unknown) => {
        throw error instanceof NotFound ? badCursor() : error;
      });
    return c.json(
      toBatchListBody(found, limit, await services.batches.pages.countBatches(accountId, filter)),
      200,
    );
  });

  const one = createRoute({
    method: 'get',
    path: '/v1/batches/{id}',
    summary: 'Read a batch',
    description: 'Returns a batch with its counts.',
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(one, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(toBatchBody(await services.batches.pages.readSummary(c.var.caller.accountId, id)), 200);
  });

  const rows = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/rows',
    summary: 'List the rows of a batch',
    description:
      'Returns the data rows of the batch with their outcomes, in the order of the file or by `sort`, optionally filtered. To get all rows at once, export the batch.',
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      query: z.strictObject({ ...pageQuery(1000, 100), ...rowSortQuery, ...resultFilterQuery }),
    },
    responses: {
      200: { description: 'A page of rows.', content: { 'application/json': { schema: rowListBody } } },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(rows, async (c) => {
    const { id } = c.req.valid('param');
    const { limit, after, sort, ...query } = c.req.valid('query');
    const filter = toResultFilter(query);
    const place = {
      afterRow: parseRowNo(after),
      limit,
      sort: sort === undefined ? null : parseRowSort(sort),
      filter,
    };
    const batch = await services.batches.pages.readSummary(c.var.caller.accountId, id);
    rejectUnknownRows(filter.rows, batch.rows.total);
    return c.json(await readRows(services.batches.reportStore, batch.batchId, place), 200);
  });
}

async function readRows(reports: BatchReportStore, batchId: number, place: ReportPlace) {
  const { form, lines } = await reports.readPage(batchId, { ...place, limit: place.limit + 1 });
  const { items, next } = cutPage(lines, place.limit, ({ rowNo }) => String(rowNo));
  return toRowListBody(form, items, next);
}

function parseRowNo(after: string | undefined): number {
  if (after === undefined) return 0;
  if (!/^\d{1,9}$/.test(after)) throw badCursor();
  return Number(after);
}

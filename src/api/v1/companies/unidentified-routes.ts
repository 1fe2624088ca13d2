import { createRoute } from '@hono/zod-openapi';
import { parseRowRanges, rejectUnknownRows } from '../../../core/rows/parse-row-ranges.ts';
import { listUnidentified } from '../../../core/companies/list-unidentified.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { cutPage } from '../../http/pages.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { batchId } from '../batches/schema.ts';
import {
  formatUnidentifiedCursor,
  parseUnidentifiedCursor,
  toUnidentifiedBody,
  unidentifiedBody,
  unidentifiedQuery,
} from './unidentified-schema.ts';

/** Routes `GET /v1/batches/{id}/unidentified`: the companies of a batch that no source has identified, with candidates. */
export function routeUnidentified({ http, guards, services }: Router): void {
  const { batches, credits, sources } = services;
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/unidentified',
    summary: 'List the companies that were not identified',
    description:
      'Returns the companies of a batch with the outcome `no_match`, each with its row and with advertisers that it may be: those that its lookups ' +
      'reported, and those of the local snapshot. Calls no source. Map a company with `POST /v1/companies/mapping` or ' +
      '`POST /v1/companies/decisions`, then look up all mapped ones with `POST /v1/batches/{id}/retry` and `{"mapped": true}`. Free.',
    tags: ['Companies'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: unidentifiedQuery },
    responses: {
      200: {
        description: 'A page of companies.',
        content: { 'application/json': { schema: unidentifiedBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, state, rows: text } = c.req.valid('query');
    const rows = text === undefined ? undefined : parseRowRanges(text, 'rows');
    const { accountId } = c.var.caller;
    const batch = await batches.pages.readSummary(accountId, c.req.valid('param').id);
    rejectUnknownRows(rows ?? null, batch.rows.total);
    const wanted = { state, rows, after: parseUnidentifiedCursor(after), limit: limit + 1 };
    const [found, counts, columns, priceMicro] = await Promise.all([
      listUnidentified(sources, batch, wanted),
      sources.unidentified.count(batch.batchId),
      sources.unidentified.readColumns(batch.batchId),
      credits.prices.priceNow('ads_search'),
    ]);
    const { items, next } = cutPage(found, limit, formatUnidentifiedCursor);
    const creditsMax = creditsNumber(priceMicro * BigInt(counts.mapped));
    return c.json(
      {
        columns: [...columns],
        companies: items.map(toUnidentifiedBody),
        counts,
        credits_max: creditsMax,
        next,
      },
      200,
    );
  });
}

import { createRoute, z } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { ledgerBody, toLedgerEntryBody } from './ledger-schema.ts';
import { cutPage, numberCursor, pageQuery } from '../../http/pages.ts';

/** Routes `GET /v1/ledger`: the credit movements of the account. */
export function routeLedger({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/ledger',
    summary: 'Read the ledger',
    description: 'Returns the credit movements of the account, newest first. The ledger is append-only.',
    tags: ['Credits'],
    middleware: guards.read('credits:read'),
    request: { query: z.strictObject(pageQuery(1000, 100)) },
    responses: {
      200: { description: 'A page of entries.', content: { 'application/json': { schema: ledgerBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after } = c.req.valid('query');
    const page = { limit: limit + 1, before: numberCursor(after) };
    const found = await services.credits.entries.list(c.var.caller.accountId, page);
    const { items, next } = cutPage(found, limit, ({ seq }) => String(seq));
    return c.json({ entries: items.map(toLedgerEntryBody), next }, 200);
  });
}

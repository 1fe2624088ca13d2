import { createRoute, z } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { auditBody, toAuditEntryBody } from './audit-schema.ts';
import { cutPage, numberCursor, pageQuery } from '../../http/pages.ts';

/** Routes `GET /v1/account/audit`: actions on the keys and users of the account. */
export function routeAudit({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/account/audit',
    summary: 'Read the audit log',
    description:
      'Returns the actions on keys and users of the account, newest first. The log is append-only and contains no secrets.',
    tags: ['Account'],
    middleware: guards.read('admin'),
    request: { query: z.strictObject(pageQuery(1000, 100)) },
    responses: {
      200: { description: 'A page of entries.', content: { 'application/json': { schema: auditBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after } = c.req.valid('query');
    const page = { limit: limit + 1, before: numberCursor(after) };
    const found = await services.accounts.audits.list(c.var.caller.accountId, page);
    const { items, next } = cutPage(found, limit, ({ entryId }) => String(entryId));
    return c.json({ entries: items.map(toAuditEntryBody), next }, 200);
  });
}

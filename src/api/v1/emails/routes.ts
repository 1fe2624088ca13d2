import { createRoute } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { formatLookupCursor, parseLookupCursor } from '../fields/lookup-cursor.ts';
import { emailListBody, emailsQuery, toEmailBody, toEmailFilter } from './schema.ts';
import { cutPage } from '../../http/pages.ts';

/** Routes `GET /v1/emails`: the verdicts of the account. */
export function routeEmails({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/emails',
    summary: 'List e-mail verdicts',
    description: `Returns the verdicts of the account, from batches and from single validations, newest first, with their reasons as text. Erased persons are
not included. Free.`,
    tags: ['Email'],
    middleware: guards.read('batches:read'),
    request: { query: emailsQuery },
    responses: {
      200: { description: 'A page of verdicts.', content: { 'application/json': { schema: emailListBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, ...query } = c.req.valid('query');
    const page = { limit: limit + 1, before: parseLookupCursor(after) };
    const { accountId } = c.var.caller;
    const found = await services.batches.results.emails.list(accountId, toEmailFilter(query), page);
    const { items, next } = cutPage(found, limit, ({ lookupId }) => formatLookupCursor(lookupId));
    return c.json({ emails: items.map(toEmailBody), next }, 200);
  });
}

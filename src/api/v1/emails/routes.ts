import { createRoute } from '@hono/zod-openapi';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { formatLookupCursor, parseLookupCursor } from '../fields/lookup-cursor.ts';
import { routeEmailsExport } from './export-routes.ts';
import {
  emailCountsBody,
  emailFilterQuery,
  emailListBody,
  emailsQuery,
  toEmailBody,
  toEmailCountsBody,
  toEmailFilter,
} from './schema.ts';
import { cutPage } from '../../http/pages.ts';

/** Counts that one process runs at a time. Each reads all verdicts that match. */
const countLimits = { total: 2, perAccount: 1, waitingPerAccount: 8, what: 'counts' };

/** Routes `/v1/emails`: the verdicts of the account, their numbers and their export. */
export function routeEmails(router: Router): void {
  routeList(router);
  routeCounts(router);
  routeEmailsExport(router);
}

function routeList({ http, guards, services }: Router): void {
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

function routeCounts({ http, guards, services }: Router): void {
  const turns = createConcurrencyLimiter(countLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/emails/counts',
    summary: 'Count e-mail verdicts',
    description:
      'Returns how many verdicts `GET /v1/emails` returns for the same filters, by status and by recommendation. Free.',
    tags: ['Email'],
    middleware: guards.read('batches:read'),
    request: { query: emailFilterQuery },
    responses: {
      200: { description: 'The counts.', content: { 'application/json': { schema: emailCountsBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const filter = toEmailFilter(c.req.valid('query'));
    const { accountId } = c.var.caller;
    const counts = await turns.take(accountId, () =>
      services.batches.results.emails.count(accountId, filter),
    );
    return c.json(toEmailCountsBody(counts), 200);
  });
}

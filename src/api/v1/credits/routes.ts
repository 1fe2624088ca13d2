import { createRoute } from '@hono/zod-openapi';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { creditsBody, toCreditsBody } from './schema.ts';

/** Routes `GET /v1/credits`: the credit balance (docs/architecture/contract.md, 4.3; method, path and shape are our choice). */
export function routeCredits({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/credits',
    summary: 'Check credits',
    description: 'Returns the credit balance of the account.',
    tags: ['Credits'],
    middleware: guards.read('credits:read'),
    responses: {
      200: { description: 'The balance.', content: { 'application/json': { schema: creditsBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) =>
    c.json(toCreditsBody(await services.credits.ledger.readBalance(c.var.caller.accountId)), 200),
  );
}

import { createRoute, z } from '@hono/zod-openapi';
import type { AccountOverview } from '../../../core/accounts/account-service.ts';
import { actorOf } from '../../http/actor.ts';
import { jsonReply, storeInTransaction, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { postHeaders } from '../../http/headers.ts';
import { microOf } from '../../upload/schema.ts';
import {
  accountLimitsRequest,
  accountRequest,
  grantRequest,
  operatorAccountBody,
  operatorAccountListBody,
  toLimitChanges,
  toOperatorAccountBody,
} from './schema.ts';
import { ValidationError } from '../../../core/errors.ts';
import { cutPage, pageQuery } from '../../http/pages.ts';

const tags = ['Operators'];
const security = [{ session: [] }];

const accountName = z.object({
  name: z.string().openapi({ param: { name: 'name', in: 'path' }, example: 'default' }),
});

const one = { description: 'The account.', content: { 'application/json': { schema: operatorAccountBody } } };

/** Routes `/v1/operator/accounts`: all accounts, for the session of an operator. API keys are rejected. */
export function routeOperatorAccounts(router: Router): void {
  const { rates, backlogMax } = router.services.config.api;
  const defaults = { requestsPerMinute: rates.perAccount, openLookups: backlogMax };
  const toBody: ToBody = (account) => toOperatorAccountBody(account, defaults);
  routeRead(router, toBody);
  routeCreate(router, toBody);
  routeGrant(router, toBody);
  routeLimits(router, toBody);
}

type ToBody = (account: AccountOverview) => z.infer<typeof operatorAccountBody>;

function routeRead(
  {
    http,
    guards,
    services: {
      accounts: { service: accountService },
    },
  }: Router,
  toBody: ToBody,
): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/operator/accounts',
    summary: 'List all accounts',
    description: 'Returns all accounts in the order of their names, with credits, open work and limits.',
    tags,
    security,
    middleware: guards.read('operator'),
    request: { query: z.strictObject(pageQuery(100, 50)) },
    responses: {
      200: {
        description: 'A page of accounts.',
        content: { 'application/json': { schema: operatorAccountListBody } },
      },
      ...problemResponses('get', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(list, async (c) => {
    const { limit, after } = c.req.valid('query');
    const found = await accountService.list(limit + 1, after);
    const { items, next } = cutPage(found, limit, ({ name }) => name);
    return c.json({ accounts: items.map(toBody), next }, 200);
  });

  const read = createRoute({
    method: 'get',
    path: '/v1/operator/accounts/{name}',
    summary: 'Read an account',
    description: 'Returns an account by its name.',
    tags,
    security,
    middleware: guards.read('operator'),
    request: { params: accountName },
    responses: { 200: one, ...problemResponses('get', 'session_ended', 'foreign_origin', 'not_found') },
  });
  http.openapi(read, async (c) => c.json(toBody(await accountService.read(c.req.valid('param').name)), 200));
}

function routeCreate(
  {
    http,
    guards,
    services: {
      accounts: { service: accountService },
    },
  }: Router,
  toBody: ToBody,
): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/operator/accounts',
    summary: 'Add an account',
    description: 'Creates an account without credits, keys or users.',
    tags,
    security,
    middleware: guards.postJson('operator'),
    request: { headers: postHeaders, body: { content: { 'application/json': { schema: accountRequest } } } },
    responses: { 201: one, ...problemResponses('post', 'session_ended', 'foreign_origin', 'conflict') },
  });
  http.openapi(route, async (c) => {
    const { name } = c.req.valid('json');
    const toReply = (account: AccountOverview) => jsonReply(201, toBody(account));
    const created = await accountService.create(name, actorOf(c), storeInTransaction(c, toReply));
    return send(c, toReply(created)) as never;
  });
}

function routeGrant(
  {
    http,
    guards,
    services: {
      accounts: { service: accountService },
    },
  }: Router,
  toBody: ToBody,
): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/operator/accounts/{name}/grants',
    summary: 'Grant credits',
    description:
      'Adds credits to an account. A grant cannot be reverted. Send an Idempotency-Key, so that a repeated request does not grant twice.',
    tags,
    security,
    middleware: guards.postJson('operator'),
    request: {
      params: accountName,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: grantRequest } } },
    },
    responses: { 201: one, ...problemResponses('post', 'session_ended', 'foreign_origin', 'not_found') },
  });
  http.openapi(route, async (c) => {
    const { credits, reason } = c.req.valid('json');
    const grant = { amountMicro: microOf(credits, 'credits'), reason };
    const toReply = (account: AccountOverview) => jsonReply(201, toBody(account));
    const granted = await accountService.grant(
      c.req.valid('param').name,
      grant,
      actorOf(c),
      storeInTransaction(c, toReply),
    );
    return send(c, toReply(granted)) as never;
  });
}

function routeLimits(
  {
    http,
    guards,
    services: {
      accounts: { service: accountService },
      config: { catalog },
    },
  }: Router,
  toBody: ToBody,
): void {
  const route = createRoute({
    method: 'patch',
    path: '/v1/operator/accounts/{name}/limits',
    summary: 'Change the limits of an account',
    description:
      'Replaces the limits in the request; null resets a limit to its default. The change applies in every process from the next request on.',
    tags,
    security,
    middleware: guards.change('operator'),
    request: {
      params: accountName,
      body: { content: { 'application/json': { schema: accountLimitsRequest } } },
    },
    responses: { 200: one, ...problemResponses('patch', 'session_ended', 'foreign_origin', 'not_found') },
  });
  http.openapi(route, async (c) => {
    const changes = toLimitChanges(c.req.valid('json'));
    for (const source of changes.atSources?.keys() ?? [])
      if (catalog.findLive(source) === undefined)
        throw new ValidationError(`Unknown live source "${source}". ${catalog.suggestion(source)}`);
    return c.json(
      toBody(await accountService.setLimits(c.req.valid('param').name, changes, actorOf(c))),
      200,
    );
  });
}

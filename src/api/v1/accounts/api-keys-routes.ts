import { createRoute, z } from '@hono/zod-openapi';
import { defaultScopes, type Scope } from '../../../core/accounts/api-key.ts';
import type { CreatedKey } from '../../../core/accounts/key-store.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { jsonReply, keptSealed, send } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import {
  apiKeyBody,
  apiKeyListBody,
  apiKeyRequest,
  createdKeyBody,
  toApiKeyBody,
  toCreatedKeyBody,
} from './api-keys-schema.ts';
import { postHeaders } from '../../http/headers.ts';

const keyId = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, example: 'key_01a1ff734ad87655b2c761ba36458456' }),
});

/** Routes `/v1/account/api-keys`: the API keys of the account. Requires the scope `admin`. */
export function routeApiKeys(router: Router): void {
  routeList(router);
  routeChanges(router);
}

function routeList({ http, guards, services }: Router): void {
  const { keys } = services.accounts;
  const list = createRoute({
    method: 'get',
    path: '/v1/account/api-keys',
    summary: 'List keys',
    description: 'Returns the API keys of the account, including revoked ones. The secrets are not returned.',
    tags: ['Account'],
    middleware: guards.read('admin'),
    responses: {
      200: { description: 'All API keys.', content: { 'application/json': { schema: apiKeyListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(list, async (c) =>
    c.json({ keys: (await keys.list(c.var.caller.accountId)).map(toApiKeyBody) }, 200),
  );
}

function routeChanges({ http, guards, services }: Router): void {
  const { keys } = services.accounts;
  const create = createRoute({
    method: 'post',
    path: '/v1/account/api-keys',
    summary: 'Create a key',
    description:
      'Creates an API key for the account. It cannot have a scope that the caller lacks. Without `scopes` it has all scopes of the caller except `admin`. The key is returned only in this response. A key that a user created stops working when the user is disabled.',
    tags: ['Account'],
    middleware: guards.post('admin'),
    request: { headers: postHeaders, body: { content: { 'application/json': { schema: apiKeyRequest } } } },
    responses: {
      201: { description: 'The key.', content: { 'application/json': { schema: createdKeyBody } } },
      ...problemResponses('post', 'conflict'),
    },
  });
  http.openapi(create, async (c) => {
    const { name = 'unnamed', scopes = scopesByDefault(c), expires_at: expiry } = c.req.valid('json');
    const expiresAt = expiry === undefined ? null : new Date(expiry);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
      throw new Problem('validation_error', { titles: ['expires_at: is in the past'] });
    }
    requireOwnScopes(c, scopes);
    const key = { name, scopes, expiresAt };
    const created = await keys.create(c.var.caller.accountId, key, actorOf(c), keptSealed(c, toReply));
    return send(c, toReply(created)) as never;
  });

  const regenerate = createRoute({
    method: 'post',
    path: '/v1/account/api-keys/{id}/regenerate',
    summary: 'Regenerate a key',
    description:
      'Creates a key with the same name, scopes and expiry. The caller must have all of these scopes. The old key stops working everywhere as soon as this response is sent.',
    tags: ['Account'],
    middleware: guards.post('admin'),
    request: { params: keyId, headers: postHeaders },
    responses: {
      201: { description: 'The new key.', content: { 'application/json': { schema: createdKeyBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(regenerate, async (c) => {
    const { id } = c.req.valid('param');
    const old = (await keys.list(c.var.caller.accountId)).find(({ keyId }) => keyId === id);
    requireOwnScopes(c, old?.scopes ?? []);
    const created = await keys.regenerate(c.var.caller.accountId, id, actorOf(c), keptSealed(c, toReply));
    return send(c, toReply(created)) as never;
  });

  const revoke = createRoute({
    method: 'post',
    path: '/v1/account/api-keys/{id}/revoke',
    summary: 'Revoke a key',
    description:
      'Revokes an API key. It stops working everywhere as soon as this response is sent. Batches and schedules that it created continue.',
    tags: ['Account'],
    middleware: guards.post('admin'),
    request: { params: keyId, headers: postHeaders },
    responses: {
      200: { description: 'The key.', content: { 'application/json': { schema: apiKeyBody } } },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(revoke, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(toApiKeyBody(await keys.revoke(c.var.caller.accountId, id, actorOf(c))), 200);
  });
}

/** Default scopes of a new key: those of the caller except `admin`. For a caller with only `admin` all others, which are then rejected. */
function scopesByDefault(c: ApiContext): readonly Scope[] {
  const own = defaultScopes.filter((scope) => c.var.caller.permissions.includes(scope));
  return own.length > 0 ? own : defaultScopes;
}

/** Rejects scopes that the caller lacks. @throws Problem that names them */
function requireOwnScopes(c: ApiContext, wanted: readonly Scope[]): void {
  const { permissions } = c.var.caller;
  const beyond = wanted.filter((scope) => !permissions.includes(scope));
  if (beyond.length === 0) return;
  throw new Problem('insufficient_scope', {
    titles: [`scopes: you cannot grant a scope that you lack: ${beyond.join(', ')}`],
  });
}

function toReply(created: CreatedKey) {
  return jsonReply(201, toCreatedKeyBody(created));
}

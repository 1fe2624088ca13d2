import { createRoute } from '@hono/zod-openapi';
import { NotFound } from '../../../core/errors.ts';
import type { Destination } from '../../../core/destinations/destination.ts';
import { parseCredentials } from '../../../core/storage/credentials.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { postHeaders } from '../../http/headers.ts';
import { jsonReply, keptSealed, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { credentialsOf, locationOf } from '../fields/place.ts';
import {
  destinationBody,
  destinationChangeRequest,
  destinationId,
  destinationListBody,
  destinationRequest,
  scopeOf,
  toDestinationBody,
} from './schema.ts';

const tags = ['Destinations'];

/** Routes `/v1/destinations`: the destinations of the account. Requires the scope `admin`. */
export function routeDestinations(router: Router): void {
  routeList(router);
  routeCreate(router);
  routeOne(router);
  routeChange(router);
  routeRemove(router);
}

function routeList({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'get',
    path: '/v1/destinations',
    summary: 'List destinations',
    description: 'Returns the destinations of the account. An account can have up to 50.',
    tags,
    middleware: guards.read('admin'),
    responses: {
      200: {
        description: 'All destinations.',
        content: { 'application/json': { schema: destinationListBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) =>
    c.json({ destinations: (await service.list(c.var.caller.accountId)).map(toDestinationBody) }, 200),
  );
}

function routeCreate({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'post',
    path: '/v1/destinations',
    summary: 'Create a destination',
    description:
      'Creates a destination, in which batches land that finish from now on: all of the account, those of one schedule, or one batch. The location is opened at once, and must take a small file, or a table that is rolled back. Credentials are stored and never returned. A folder must be allowed by the operator.',
    tags,
    middleware: guards.postJson('admin'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: destinationRequest } } },
    },
    responses: {
      201: { description: 'The destination.', content: { 'application/json': { schema: destinationBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const {
      location: address,
      credentials,
      endpoint,
      s3_region,
      host_key,
      schedule_id,
      batch_id,
      ...wanted
    } = c.req.valid('json');
    const location = locationOf(address, { endpoint, s3_region, host_key });
    const request = {
      ...wanted,
      scope: scopeOf({ schedule_id, batch_id }),
      location,
      credentials: credentialsOf(location.kind, { credentials }),
      isOfAccount: true,
    };
    const { accountId } = c.var.caller;
    // The service has its own time limit, which is shorter than the shutdown of the server.
    const { signal } = new AbortController();
    const created = await service.create(accountId, request, actorOf(c), {
      signal,
      kept: keptSealed(c, toReply),
    });
    return send(c, toReply(created)) as never;
  });
}

function routeOne({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'get',
    path: '/v1/destinations/{id}',
    summary: 'Read a destination',
    description: 'Returns a destination with the numbers of its pending and dead landings.',
    tags,
    middleware: guards.read('admin'),
    request: { params: destinationId },
    responses: {
      200: { description: 'The destination.', content: { 'application/json': { schema: destinationBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    return c.json(toDestinationBody(await service.find(accountId, id)), 200);
  });
}

function routeChange({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'patch',
    path: '/v1/destinations/{id}',
    summary: 'Change a destination',
    description:
      'Changes the name, the credentials, the form of what lands or the state of a destination. Pending landings of a disabled destination are written when it is enabled again. The location stays: create another destination for another place.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: destinationId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: destinationChangeRequest } } },
    },
    responses: {
      200: { description: 'The destination.', content: { 'application/json': { schema: destinationBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    const { credentials, ...edit } = c.req.valid('json');
    const { location } = await service.find(accountId, id);
    const changes = {
      ...edit,
      credentials: credentials ? parseCredentials(location.kind, credentials) : credentials,
    };
    return c.json(toDestinationBody(await service.change(accountId, id, changes, actorOf(c))), 200);
  });
}

function routeRemove({ http, guards, services }: Router): void {
  const { service } = services.destinations;
  const route = createRoute({
    method: 'delete',
    path: '/v1/destinations/{id}',
    summary: 'Remove a destination',
    description: 'Removes a destination and deletes its credentials. What landed stays.',
    tags,
    middleware: guards.read('admin'),
    request: { params: destinationId },
    responses: {
      200: { description: 'The destination.', content: { 'application/json': { schema: destinationBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = destinationOf(c, c.req.valid('param').id);
    return c.json(toDestinationBody(await service.remove(accountId, id, actorOf(c))), 200);
  });
}

/** Returns a destination by its id; the API accepts no names. @throws NotFound for an unknown id */
export function destinationOf(
  c: ApiContext,
  id: string,
): { readonly accountId: number; readonly id: string } {
  if (!id.startsWith('dst_')) throw new NotFound(`There is no destination ${id}.`);
  return { accountId: c.var.caller.accountId, id };
}

function toReply(created: Destination) {
  return jsonReply(201, toDestinationBody(created));
}

import { createRoute } from '@hono/zod-openapi';
import type { Subscriber, SubscriptionSubject } from '../../../core/events/subscriptions.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { postHeaders } from '../../http/headers.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { batchId } from '../batches/schema.ts';
import { scheduleId } from '../schedules/schema.ts';
import { subscriptionListBody, toSubscriptionListBody } from './subscription-schema.ts';

const tags = ['Subscriptions'];
const permission = 'batches:read';
const listResponse = {
  200: {
    description: 'All subscriptions of the user.',
    content: { 'application/json': { schema: subscriptionListBody } },
  },
};

/** Routes `/v1/subscriptions`, and `/subscription` of a batch and of a schedule: the user's own e-mail. */
export function routeSubscriptions(router: Router): void {
  routeList(router);
  for (const kind of ['batch', 'schedule'] as const) {
    routeAdd(router, kind);
    routeRemove(router, kind);
  }
}

const paths = {
  batch: '/v1/batches/{id}/subscription',
  schedule: '/v1/schedules/{id}/subscription',
} as const;
const params = { batch: batchId, schedule: scheduleId } as const;
const occasions = {
  batch: 'when the batch is finished or waits for credits',
  schedule: 'when a scan finds changes or companies fail, and when a scan did not start',
} as const;

function routeList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/subscriptions',
    summary: 'List your subscriptions',
    description:
      'Returns the batches and schedules that the signed-in user gets e-mail about, newest first, and the address. A user can have up to 1,000.',
    tags,
    middleware: guards.read(permission),
    responses: { ...listResponse, ...problemResponses('get') },
  });
  http.openapi(route, async (c) => c.json(await listOf(services, c), 200));
}

function routeAdd({ http, guards, services }: Router, kind: SubscriptionSubject['kind']): void {
  const { subscriptions } = services.events;
  const route = createRoute({
    method: 'post',
    path: paths[kind],
    summary: `Subscribe to a ${kind}`,
    description: `Sends the signed-in user one e-mail ${occasions[kind]}. Only this user gets it. Returns all subscriptions of the user. An API key cannot subscribe.`,
    tags,
    middleware: guards.post(permission),
    request: {
      params: params[kind],
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: { ...listResponse, ...problemResponses('post', 'not_found', 'conflict') },
  });
  http.openapi(route, async (c) => {
    await subscriptions.add(subscriberOf(c), { kind, id: c.req.valid('param').id }, actorOf(c));
    return c.json(await listOf(services, c), 200);
  });
}

function routeRemove({ http, guards, services }: Router, kind: SubscriptionSubject['kind']): void {
  const { subscriptions } = services.events;
  const route = createRoute({
    method: 'delete',
    path: paths[kind],
    summary: `Unsubscribe from a ${kind}`,
    description: `Ends the e-mail about the ${kind}. Pending mails are not sent. Returns all subscriptions of the user.`,
    tags,
    middleware: guards.remove(permission),
    request: { params: params[kind] },
    responses: { ...listResponse, ...problemResponses('delete', 'not_found') },
  });
  http.openapi(route, async (c) => {
    await subscriptions.remove(subscriberOf(c), { kind, id: c.req.valid('param').id }, actorOf(c));
    return c.json(await listOf(services, c), 200);
  });
}

async function listOf({ events: { subscriptions } }: Router['services'], c: ApiContext) {
  const subscriber = subscriberOf(c);
  return toSubscriptionListBody(await subscriptions.find(subscriber), await subscriptions.list(subscriber));
}

function subscriberOf(c: ApiContext): Subscriber {
  return { accountId: c.var.caller.accountId, userId: c.var.caller.id };
}

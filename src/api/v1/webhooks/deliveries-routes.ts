import { createRoute, z } from '@hono/zod-openapi';
import { readAge } from '../../../core/time/parse-age.ts';
import { deliveryStates, type Replay } from '../../../core/events/webhook-store.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { postHeaders } from '../../http/headers.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';
import {
  deliveryListBody,
  replayBody,
  replayRequest,
  testedWebhookBody,
  toDeliveryBody,
  toTestedWebhookBody,
  webhookId,
  type ReplayRequest,
} from './schema.ts';
import { confirmPage } from '../../docs/confirm-page.ts';
import { takeMail, webhookOf } from './routes.ts';

const tags = ['Webhooks'];

/** Routes `/v1/webhooks/{id}/deliveries`, `test` and `replay`: the deliveries of a webhook. */
export function routeWebhookDeliveries(router: Router): void {
  routeDeliveries(router);
  routeTest(router);
  routeReplay(router);
}

function routeDeliveries({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Returns the deliveries of a webhook, newest first, with their state and last error.',
    tags,
    middleware: guards.read('admin'),
    request: {
      params: webhookId,
      query: z.strictObject({ ...pageQuery(1000, 100), state: z.enum(deliveryStates).optional() }),
    },
    responses: {
      200: {
        description: 'A page of deliveries.',
        content: { 'application/json': { schema: deliveryListBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    const { limit, after: before = null, state = null } = c.req.valid('query');
    const found = await webhooks.listDeliveries(accountId, id, { limit: limit + 1, before, state });
    if (found === null) throw badCursor();
    const { items, next } = cutPage(found, limit, ({ eventId }) => eventId);
    return c.json({ deliveries: items.map(toDeliveryBody), next }, 200);
  });
}

function routeTest({ http, guards, limits, baseUrl, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    summary: 'Test a webhook',
    description:
      'Sends a `test` event immediately, also to a disabled webhook, and returns the result within 20 seconds. An unconfirmed mailbox receives the confirmation link again instead. Limited to ten mails per hour.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: {
        description: 'The result of the delivery.',
        content: { 'application/json': { schema: testedWebhookBody } },
      },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    const { kind, target } = await webhooks.find(accountId, id);
    if (kind === 'email') await takeMail(limits, { accountId, address: target });
    // The test has its own timeout, which is shorter than the shutdown of the server.
    const { signal } = new AbortController();
    const tested = await webhooks.test(accountId, id, signal, confirmPage(baseUrl));
    return c.json(toTestedWebhookBody(tested), 200);
  });
}

function routeReplay({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/replay',
    summary: 'Replay events to a webhook',
    description:
      'Sends events again, immediately and with their original ids: one event, all dead ones, or all undelivered ones of a period.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: replayRequest } } },
    },
    responses: {
      200: { description: 'The number of events.', content: { 'application/json': { schema: replayBody } } },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    await webhooks.find(accountId, id);
    const replay = readReplay(c.req.valid('json'));
    return c.json({ replayed: await webhooks.replay(accountId, id, replay) }, 200);
  });
}

function readReplay({ event_id: eventId, dead, since }: ReplayRequest): Replay {
  const given: readonly Replay[] = [
    ...(eventId === undefined ? [] : [{ kind: 'event', eventId } as const]),
    ...(dead === true ? [{ kind: 'dead' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', ageMs: readAge(since, 'since:') } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new Problem('validation_error', { titles: ['event_id, dead, since: give exactly one of them'] });
}

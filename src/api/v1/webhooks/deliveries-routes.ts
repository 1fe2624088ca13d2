import { createRoute, z } from '@hono/zod-openapi';
import { readAge } from '../../../core/time/parse-age.ts';
import { deliveryStates, type Replay } from '../../../core/events/webhook-store.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/schema.ts';
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

/** `/v1/webhooks/{id}/deliveries`, `test` and `replay`: what webhooks are sent. */
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
    description: 'Its events, the newest first: what has arrived, and what went wrong.',
    tags,
    middleware: guards.read('admin'),
    request: {
      params: webhookId,
      query: z.strictObject({ ...pageQuery(1000, 100), state: z.enum(deliveryStates).optional() }),
    },
    responses: {
      200: { description: 'A page of them.', content: { 'application/json': { schema: deliveryListBody } } },
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
      'Sends an event of the event `test` at once, also to a webhook that is switched off, and tells what came of it within 20 seconds. A mailbox that nobody has confirmed is sent the link again instead. Ten mails an hour can be asked for.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: {
        description: 'What came of it.',
        content: { 'application/json': { schema: testedWebhookBody } },
      },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    const { kind, target } = await webhooks.find(accountId, id);
    if (kind === 'email') await takeMail(limits, { accountId, address: target });
    // It ends by itself, sooner than a server that stops.
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
      'Sends events again, at once and under their old ids: one, all that were given up, or all of a time that did not arrive.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: replayRequest } } },
    },
    responses: {
      200: { description: 'How many.', content: { 'application/json': { schema: replayBody } } },
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

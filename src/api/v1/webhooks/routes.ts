import { createRoute } from '@hono/zod-openapi';
import { NotFound } from '../../../core/errors.ts';
import type { CreatedWebhook, WebhookChanges } from '../../../core/events/webhook-store.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { tooMany } from '../../http/authorise.ts';
import { confirmPage } from '../../docs/confirm-page.ts';
import { jsonReply, keptSealed, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { Problem } from '../../http/problem.ts';
import type { MailTry, RequestLimits } from '../../http/request-limits.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { postHeaders } from '../../http/headers.ts';
import {
  createdWebhookBody,
  oneOfThree,
  targetOf,
  toCreatedWebhookBody,
  toWebhookBody,
  webhookBody,
  webhookChangeRequest,
  webhookId,
  webhookListBody,
  webhookRequest,
} from './schema.ts';

const tags = ['Webhooks'];

/** Routes `/v1/webhooks`: the webhooks of the account. Requires the scope `admin`. */
export function routeWebhooks(router: Router): void {
  routeList(router);
  routeCreate(router);
  routeOne(router);
  routeChange(router);
  routeRemove(router);
  routeRotate(router);
}

/** Counts a mail that an account requests. @throws Problem when there were too many */
export async function takeMail(limits: RequestLimits, mail: MailTry): Promise<void> {
  const taken = await limits.takeMail(mail);
  if (!taken.allowed) throw tooMany(taken, 'Too many requested mails within an hour');
}

function routeList({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const mailFrom = services.config.mail?.from ?? null;
  const route = createRoute({
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    description:
      'Returns the webhooks of the account, oldest first, and whether mails can be sent. An account can have up to 50.',
    tags,
    middleware: guards.read('admin'),
    responses: {
      200: { description: 'All webhooks.', content: { 'application/json': { schema: webhookListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const listed = await webhooks.list(c.var.caller.accountId);
    return c.json({ webhooks: listed.map(toWebhookBody), mail_from: mailFrom }, 200);
  });
}

function routeCreate({ http, guards, limits, baseUrl, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'Creates a webhook, which receives events from now on: at an HTTPS URL with signed bodies (Standard Webhooks), in Slack, or by mail. A mailbox first receives one mail with a confirmation link, and no events until it is confirmed. The signing secret is returned only in this response.',
    tags,
    middleware: guards.postJson('admin'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: webhookRequest } } },
    },
    responses: {
      201: { description: 'The webhook.', content: { 'application/json': { schema: createdWebhookBody } } },
      ...problemResponses('post', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { name, events, ...targets } = c.req.valid('json');
    const target = targetOf(targets);
    if (target === null) throw oneOfThree();
    const wanted = { name, ...target, ...(events === undefined ? {} : { events }) };
    const { accountId } = c.var.caller;
    if (target.kind === 'email') await takeMail(limits, { accountId, address: target.target });
    const kept = keptSealed(c, toReply);
    const created = await webhooks.create(accountId, wanted, actorOf(c), kept, confirmPage(baseUrl));
    return send(c, toReply(created)) as never;
  });
}

function routeOne({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'get',
    path: '/v1/webhooks/{id}',
    summary: 'Read a webhook',
    description: 'Returns a webhook with the numbers of its pending and dead events.',
    tags,
    middleware: guards.read('admin'),
    request: { params: webhookId },
    responses: {
      200: { description: 'The webhook.', content: { 'application/json': { schema: webhookBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    return c.json(toWebhookBody(await webhooks.find(accountId, id)), 200);
  });
}

function routeChange({ http, guards, limits, baseUrl, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    summary: 'Change a webhook',
    description:
      'Changes the name, the events, the target or the state of a webhook. Pending events of a disabled webhook are sent when it is enabled again; events that occurred meanwhile can be replayed.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: webhookChangeRequest } } },
    },
    responses: {
      200: { description: 'The webhook.', content: { 'application/json': { schema: webhookBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    const { name, events, state, ...targets } = c.req.valid('json');
    const { kind } = await webhooks.find(accountId, id);
    const target = targetOf(targets);
    if (target !== null && target.kind !== kind) {
      const titles = [`The kind of this webhook is ${kind} and cannot be changed. Create another webhook`];
      throw new Problem('validation_error', { titles });
    }
    const changes: WebhookChanges = {
      ...(name === undefined ? {} : { name }),
      ...(events === undefined ? {} : { events }),
      ...(state === undefined ? {} : { state }),
      ...(target === null ? {} : { target: target.target }),
    };
    if (target?.kind === 'email') await takeMail(limits, { accountId, address: target.target });
    const by = actorOf(c);
    return c.json(
      toWebhookBody(await webhooks.change(accountId, id, changes, by, confirmPage(baseUrl))),
      200,
    );
  });
}

function routeRemove({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    summary: 'Remove a webhook',
    description: 'Removes a webhook. Its pending events are not sent.',
    tags,
    middleware: guards.read('admin'),
    request: { params: webhookId },
    responses: {
      200: { description: 'The webhook.', content: { 'application/json': { schema: webhookBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    return c.json(toWebhookBody(await webhooks.remove(accountId, id, actorOf(c))), 200);
  });
}

function routeRotate({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/rotate',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a new signing secret, which is returned only in this response. Bodies are also signed with the previous secret for one day.',
    tags,
    middleware: guards.post('admin'),
    request: {
      params: webhookId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      201: { description: 'The webhook.', content: { 'application/json': { schema: createdWebhookBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, id } = webhookOf(c, c.req.valid('param').id);
    return send(
      c,
      toReply(await webhooks.rotate(accountId, id, actorOf(c), keptSealed(c, toReply))),
    ) as never;
  });
}

/** Returns a webhook by its id; the API accepts no names. @throws NotFound for an unknown id */
export function webhookOf(c: ApiContext, id: string): { readonly accountId: number; readonly id: string } {
  if (!id.startsWith('whk_')) throw new NotFound(`There is no webhook ${id}.`);
  return { accountId: c.var.caller.accountId, id };
}

function toReply(created: CreatedWebhook) {
  return jsonReply(201, toCreatedWebhookBody(created));
}

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
import { nothingRequest } from '../batches/schema.ts';
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

/** `/v1/webhooks`: whom the account has told of what happens, for a key with the scope `admin`. */
export function routeWebhooks(router: Router): void {
  routeList(router);
  routeCreate(router);
  routeOne(router);
  routeChange(router);
  routeRemove(router);
  routeRotate(router);
}

/** Counts a mail that an account has us send. @throws Problem when there were too many. */
export async function takeMail(limits: RequestLimits, mail: MailTry): Promise<void> {
  const taken = await limits.takeMail(mail);
  if (!taken.allowed) throw tooMany(taken, 'Too many mails on request in an hour');
}

function routeList({ http, guards, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List webhooks',
    description: 'Whom the account has told of what happens. An account has 50 at most.',
    tags,
    middleware: guards.read('admin'),
    responses: {
      200: { description: 'All of them.', content: { 'application/json': { schema: webhookListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) =>
    c.json({ webhooks: (await webhooks.list(c.var.caller.accountId)).map(toWebhookBody) }, 200),
  );
}

function routeCreate({ http, guards, limits, baseUrl, services }: Router): void {
  const { webhooks } = services.events;
  const route = createRoute({
    method: 'post',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'From now on somebody is told of what happens: at an https address with signed bodies (Standard Webhooks), in Slack, or by mail. A mailbox is sent one mail with a link first, and nothing else until whoever reads it has confirmed it. The secret that bodies are signed with is shown in this answer and never again.',
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
    description: 'A webhook, with what is on its way to it.',
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
      'Its name, its events, its address, or whether anything is sent. What waits for one that was switched off goes out when it is switched on; what happened meanwhile can be replayed.',
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
      const titles = [
        `This webhook is of the kind ${kind}: make another one to tell somebody in another way`,
      ];
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
    description: 'It is told nothing any more, and what is on its way to it is given up.',
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
    description: 'A new secret, shown in this answer and never again. The one before signs too for a day.',
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

/** Over HTTP a webhook is named by its id alone. @throws NotFound for what is none. */
export function webhookOf(c: ApiContext, id: string): { readonly accountId: number; readonly id: string } {
  if (!id.startsWith('whk_')) throw new NotFound(`There is no webhook ${id}.`);
  return { accountId: c.var.caller.accountId, id };
}

function toReply(created: CreatedWebhook) {
  return jsonReply(201, toCreatedWebhookBody(created));
}

import { createRoute } from '@hono/zod-openapi';
import { postHeaders } from '../../http/headers.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { inboxBody, inboxFileBody, inboxFileId, inboxId, toInboxBody, toInboxFileBody } from './schema.ts';

/** Routes `POST /v1/inboxes/{id}/pause`, `resume` and `look`, the retry of a file, and `DELETE /v1/inboxes/{id}`. */
export function routeInboxControl(router: Router): void {
  routePause(router);
  routeResume(router);
  routePoll(router);
  routeRetry(router);
  routeRemove(router);
}

function routePause({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    ...control(guards, 'pause', 'Pause an inbox'),
    description:
      'Pauses an inbox: no further file is loaded. A file that is being loaded is loaded to its end.',
  });
  http.openapi(route, async (c) => {
    const paused = await inboxes.pause(c.var.caller.accountId, c.req.valid('param').id);
    return c.json(toInboxBody(paused), 200);
  });
}

function routeResume({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    ...control(guards, 'resume', 'Resume an inbox'),
    description: 'Resumes a paused inbox, and looks into it within seconds.',
  });
  http.openapi(route, async (c) => {
    const resumed = await inboxes.resume(c.var.caller.accountId, c.req.valid('param').id);
    return c.json(toInboxBody(resumed), 200);
  });
}

function routePoll({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    ...control(guards, 'look', 'Look into an inbox now'),
    description: 'Looks into an inbox within seconds, in addition to the times of its pattern.',
    responses: {
      200: { description: 'The inbox.', content: { 'application/json': { schema: inboxBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const due = await inboxes.pollNow(c.var.caller.accountId, c.req.valid('param').id);
    return c.json(toInboxBody(due), 200);
  });
}

function routeRetry({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    method: 'post',
    path: '/v1/inboxes/{id}/files/{file}/retry',
    summary: 'Load a failed file once more',
    description:
      'Loads a failed file once more, with the present terms of the inbox. It is read from `failed/`.',
    tags: ['Inboxes'],
    middleware: guards.post('batches:write'),
    request: {
      params: inboxFileId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: { description: 'The file.', content: { 'application/json': { schema: inboxFileBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { id, file } = c.req.valid('param');
    return c.json(toInboxFileBody(await inboxes.retry(c.var.caller.accountId, id, file)), 200);
  });
}

function routeRemove({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    method: 'delete',
    path: '/v1/inboxes/{id}',
    summary: 'Remove an inbox',
    description:
      'Removes an inbox permanently, with its credentials. Its batches and the files in its location are kept. The name becomes available to other inboxes.',
    tags: ['Inboxes'],
    middleware: guards.remove('batches:write'),
    request: { params: inboxId },
    responses: {
      204: { description: 'The inbox is removed.' },
      ...problemResponses('delete', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    await inboxes.remove(c.var.caller.accountId, c.req.valid('param').id);
    return c.body(null, 204);
  });
}

/** Common part of the three routes. */
function control<Move extends 'pause' | 'resume' | 'look'>(
  guards: Router['guards'],
  move: Move,
  summary: string,
) {
  return {
    method: 'post' as const,
    path: `/v1/inboxes/{id}/${move}` as const,
    summary,
    tags: ['Inboxes'],
    middleware: guards.post('batches:write'),
    request: {
      params: inboxId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: { description: 'The inbox.', content: { 'application/json': { schema: inboxBody } } },
      ...problemResponses('post', 'not_found'),
    },
  };
}

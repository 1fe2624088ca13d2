import { createRoute, z } from '@hono/zod-openapi';
import { NotFound } from '../../../core/errors.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import {
  filesQuery,
  inboxBody,
  inboxFileListBody,
  inboxId,
  inboxListBody,
  toInboxBody,
  toInboxFileBody,
} from './schema.ts';

/** Routes `GET /v1/inboxes`, an inbox, and its files. */
export function routeInboxes(router: Router): void {
  routeList(router);
  routeOne(router);
  routeFiles(router);
}

function routeList({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    method: 'get',
    path: '/v1/inboxes',
    summary: 'List inboxes',
    description: 'Returns the inboxes of the account, newest first, without removed ones.',
    tags: ['Inboxes'],
    middleware: guards.read('batches:read'),
    request: { query: z.strictObject(pageQuery(100, 20)) },
    responses: {
      200: { description: 'A page of inboxes.', content: { 'application/json': { schema: inboxListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after } = c.req.valid('query');
    const found = await inboxes.list(c.var.caller.accountId, limit + 1, after).catch(asBadCursor);
    const { items, next } = cutPage(found, limit, ({ publicId }) => publicId);
    return c.json({ inboxes: items.map(toInboxBody), next }, 200);
  });
}

function routeOne({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    method: 'get',
    path: '/v1/inboxes/{id}',
    summary: 'Read an inbox',
    description: 'Returns an inbox with the numbers of its files, and the error of its last look.',
    tags: ['Inboxes'],
    middleware: guards.read('batches:read'),
    request: { params: inboxId },
    responses: {
      200: { description: 'The inbox.', content: { 'application/json': { schema: inboxBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(toInboxBody(await inboxes.read(c.var.caller.accountId, id)), 200);
  });
}

function routeFiles({ http, guards, services }: Router): void {
  const { store: inboxes } = services.inboxes;
  const route = createRoute({
    method: 'get',
    path: '/v1/inboxes/{id}/files',
    summary: 'List the files of an inbox',
    description:
      'Returns the files that the inbox has seen, newest first, each with its batch or the reason why it has none.',
    tags: ['Inboxes'],
    middleware: guards.read('batches:read'),
    request: { params: inboxId, query: filesQuery },
    responses: {
      200: {
        description: 'A page of files.',
        content: { 'application/json': { schema: inboxFileListBody } },
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, state } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const { publicId } = await inboxes.read(accountId, c.req.valid('param').id);
    const options = {
      limit: limit + 1,
      ...(after === undefined ? {} : { before: after }),
      ...(state === undefined ? {} : { state }),
    };
    const found = await inboxes.listFiles(accountId, publicId, options).catch(asBadCursor);
    const { items, next } = cutPage(found, limit, (file) => file.publicId);
    return c.json({ files: items.map(toInboxFileBody), next }, 200);
  });
}

function asBadCursor(error: unknown): never {
  throw error instanceof NotFound ? badCursor() : error;
}

import { createRoute, z } from '@hono/zod-openapi';
import { createToken, digestToken } from '../../../core/accounts/token.ts';
import { linkDaysMax, linkDaysUsual, type ReportSubject } from '../../../core/reports/report-links.ts';
import { actorOf } from '../../http/actor.ts';
import { postHeaders } from '../../http/headers.ts';
import { jsonReply, keptSealed, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { batchId } from '../batches/schema.ts';
import { scheduleId } from '../schedules/schema.ts';
import {
  createdReportLinkBody,
  reportLinkListBody,
  reportLinkRequest,
  toCreatedReportLinkBody,
  toReportLinkBody,
} from './links-schema.ts';

const tags = ['Report links'];
const paths = {
  batch: '/v1/batches/{id}/report-links',
  schedule: '/v1/schedules/{id}/report-links',
} as const;
const params = { batch: batchId, schedule: scheduleId } as const;
const listResponse = {
  200: { description: 'The links.', content: { 'application/json': { schema: reportLinkListBody } } },
};

/** Routes `/report-links` of a batch and of a schedule, and `/v1/report-links`: links to reports that need no sign-in. */
export function routeReportLinks(router: Router): void {
  for (const kind of ['batch', 'schedule'] as const) {
    routeCreate(router, kind);
    routeListOf(router, kind);
  }
  routeList(router);
  routeRevoke(router);
}

function routeCreate({ http, guards, services, baseUrl }: Router, kind: ReportSubject['kind']): void {
  const { reportLinks } = services.accounts;
  const route = createRoute({
    method: 'post',
    path: paths[kind],
    summary: `Share the report of a ${kind}`,
    description: `Creates a link to the report of the ${kind}, which needs no sign-in: everyone with the link can read the report, as it is at that time, until the link expires, after ${linkDaysUsual} days by default and ${linkDaysMax} at most. The link is returned only in this response.`,
    tags,
    middleware: guards.post('batches:write'),
    request: {
      params: params[kind],
      headers: postHeaders,
      body: { content: { 'application/json': { schema: reportLinkRequest } } },
    },
    responses: {
      201: { description: 'The link.', content: { 'application/json': { schema: createdReportLinkBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { days = linkDaysUsual } = c.req.valid('json');
    const token = createToken();
    const toReply = (link: Parameters<typeof toReportLinkBody>[0]) =>
      jsonReply(201, toCreatedReportLinkBody(link, { baseUrl, token }));
    const subject = { kind, id: c.req.valid('param').id };
    const link = { digest: digestToken(token), days, by: actorOf(c) };
    const created = await reportLinks.create(c.var.caller.accountId, subject, link, keptSealed(c, toReply));
    return send(c, toReply(created)) as never;
  });
}

function routeListOf({ http, guards, services }: Router, kind: ReportSubject['kind']): void {
  const { reportLinks } = services.accounts;
  const route = createRoute({
    method: 'get',
    path: paths[kind],
    summary: `List the links to the report of a ${kind}`,
    description:
      'Returns the links, newest first, with their creators and the number of times that they were opened. Links are deleted 30 days after they end.',
    tags,
    middleware: guards.read('batches:read'),
    request: { params: params[kind] },
    responses: { ...listResponse, ...problemResponses('get', 'not_found') },
  });
  http.openapi(route, async (c) => {
    const subject = { kind, id: c.req.valid('param').id };
    const links = await reportLinks.list(c.var.caller.accountId, subject);
    return c.json({ links: links.map(toReportLinkBody) }, 200);
  });
}

function routeList({ http, guards, services }: Router): void {
  const { reportLinks } = services.accounts;
  const route = createRoute({
    method: 'get',
    path: '/v1/report-links',
    summary: 'List the links to reports',
    description: 'Returns the links to all reports of the account, newest first, up to 1,000.',
    tags,
    middleware: guards.read('batches:read'),
    responses: { ...listResponse, ...problemResponses('get') },
  });
  http.openapi(route, async (c) => {
    const links = await reportLinks.list(c.var.caller.accountId, null);
    return c.json({ links: links.map(toReportLinkBody) }, 200);
  });
}

function routeRevoke({ http, guards, services }: Router): void {
  const { reportLinks } = services.accounts;
  const route = createRoute({
    method: 'delete',
    path: '/v1/report-links/{id}',
    summary: 'Revoke a link to a report',
    description: 'Revokes the link. It stops working as soon as this response is sent.',
    tags,
    middleware: guards.remove('batches:write'),
    request: {
      params: z.object({
        id: z
          .string()
          .openapi({ param: { name: 'id', in: 'path' }, example: 'rpl_01a1ff734ad87655b2c761ba36458456' }),
      }),
    },
    responses: { 204: { description: 'Revoked.' }, ...problemResponses('delete', 'not_found') },
  });
  http.openapi(route, async (c) => {
    await reportLinks.revoke(c.var.caller.accountId, c.req.valid('param').id, actorOf(c));
    return c.body(null, 204);
  });
}

import { createRoute, z } from '@hono/zod-openapi';
import { authenticateSession } from '../../../core/accounts/authenticate.ts';
import { actorOf } from '../../http/actor.ts';
import { requireSession } from '../../http/authorise.ts';
import { postHeaders } from '../../http/headers.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { sessionToken } from '../../http/session-cookie.ts';
import { sessionBody, toSessionBody } from './session-schema.ts';

const security = [{ session: [] }];
const session = {
  description: 'The session.',
  content: { 'application/json': { schema: sessionBody } },
};

/** Routes with which an operator views an account, read-only, and stops. */
export function routeViewedAccount({ http, guards, services }: Router): void {
  const { sessions, provider } = services.accounts;
  const readBody = async (token: string | null) =>
    toSessionBody(token === null ? null : await authenticateSession(sessions, token), provider?.name ?? null);

  const begin = createRoute({
    method: 'post',
    path: '/v1/operator/accounts/{name}/view',
    summary: 'View an account',
    description:
      'From now on, this session reads the data of the account and can change nothing, until it stops viewing. The audit log of the account records the operator.',
    tags: ['Operators'],
    security,
    middleware: guards.post('operator'),
    request: {
      params: z.object({
        name: z.string().openapi({ param: { name: 'name', in: 'path' }, example: 'default' }),
      }),
      headers: postHeaders,
    },
    responses: { 200: session, ...problemResponses('post', 'session_ended', 'foreign_origin', 'not_found') },
  });
  http.openapi(begin, async (c) => {
    const token = sessionToken(c);
    const { digest } = await requireSession(sessions, c, token);
    await sessions.view(digest, c.req.valid('param').name, actorOf(c));
    return c.json(await readBody(token), 200);
  });

  const stop = createRoute({
    method: 'delete',
    path: '/v1/session/view',
    summary: 'Stop viewing an account',
    description: 'The session returns to the own account. Without a view it does nothing.',
    tags: ['Session'],
    security,
    responses: { 200: session, ...problemResponses('delete', 'session_ended', 'foreign_origin') },
  });
  http.openapi(stop, async (c) => {
    const token = sessionToken(c);
    const found = await requireSession(sessions, c, token);
    await sessions.stopViewing(found.digest, { actor: found.session.userId, address: c.var.address });
    return c.json(await readBody(token), 200);
  });
}

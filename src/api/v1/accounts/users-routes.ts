import { createRoute, z } from '@hono/zod-openapi';
import type { Permission } from '../../../core/accounts/roles.ts';
import type { UserManager } from '../../../core/accounts/user-rules.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { postHeaders } from '../../http/headers.ts';
import { send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { createInviter, type Inviter } from './send-invitation.ts';
import {
  invitationBody,
  invitationRequest,
  signInLinkRequest,
  toUserBody,
  userBody,
  userChangeRequest,
  userListBody,
} from './users-schema.ts';

/** Users of one account: where they are addressed, and by whom. */
interface Scope {
  readonly path: string;
  readonly permission: Permission;
  /** End of the summaries. */
  readonly ofAccount: string;
  readonly tags: string[];
  /** Empty: API keys are accepted, too. */
  readonly security: { readonly security?: { session: string[] }[] };
  readonly params: z.ZodObject;
  readonly accountOf: (c: ApiContext) => Promise<number>;
}

/** Routes `/v1/account/users` for admins, and `/v1/operator/accounts/{name}/users` for operators. */
export function routeUsers(router: Router): void {
  const { store } = router.services.accounts;
  const inviter = createInviter(router);
  routeScope(router, inviter, {
    path: '/v1/account/users',
    permission: 'admin',
    ofAccount: '',
    tags: ['Account'],
    security: {},
    params: z.object({}),
    accountOf: (c) => Promise.resolve(c.var.caller.accountId),
  });
  routeScope(router, inviter, {
    path: '/v1/operator/accounts/{name}/users',
    permission: 'operator',
    ofAccount: ' of an account',
    tags: ['Operators'],
    security: { security: [{ session: [] }] },
    params: z.object({
      name: z.string().openapi({ param: { name: 'name', in: 'path' }, example: 'default' }),
    }),
    accountOf: (c) => store.find(c.req.param('name') ?? ''),
  });
}

function routeScope(router: Router, inviter: Inviter, scope: Scope): void {
  routeList(router, scope);
  routeInvite(router, inviter, scope);
  routeLink(router, inviter, scope);
  routeChange(router, scope);
}

function routeList({ http, guards, services }: Router, scope: Scope): void {
  const { userService, provider } = services.accounts;
  const route = createRoute({
    method: 'get',
    path: scope.path,
    summary: `List users${scope.ofAccount}`,
    description: 'Returns the users of the account by login, including disabled ones.',
    tags: scope.tags,
    ...scope.security,
    middleware: guards.read(scope.permission),
    request: { params: scope.params },
    responses: {
      200: { description: 'All users.', content: { 'application/json': { schema: userListBody } } },
      ...problemResponses('get', 'not_found', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const users = await userService.list(await scope.accountOf(c));
    const mailFrom = services.config.mail?.from ?? null;
    return c.json(
      { users: users.map(toUserBody), mail_from: mailFrom, provider: provider?.name ?? null },
      200,
    );
  });
}

function routeInvite({ http, guards, services }: Router, inviter: Inviter, scope: Scope): void {
  const { userService } = services.accounts;
  const route = createRoute({
    method: 'post',
    path: scope.path,
    summary: `Invite a user${scope.ofAccount}`,
    description:
      'Adds a user to the account and creates a link for the first sign-in. The link works once within three days and is returned only in this response. The role cannot permit more than the caller may do.',
    tags: scope.tags,
    ...scope.security,
    middleware: guards.postJson(scope.permission),
    request: {
      params: scope.params,
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: invitationRequest } } },
    },
    responses: {
      201: {
        description: 'The user and the link.',
        content: { 'application/json': { schema: invitationBody } },
      },
      ...problemResponses('post', 'not_found', 'conflict', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const { send_mail: isMailed, ...invitee } = c.req.valid('json');
    const accountId = await scope.accountOf(c);
    const to = isMailed ? await inviter.takeMail(accountId, invitee.login) : null;
    const reply = await inviter.invite(c, to, (kept) =>
      userService.invite(accountId, invitee, managerOf(c), kept),
    );
    return send(c, reply) as never;
  });
}

function routeLink({ http, guards, services }: Router, inviter: Inviter, scope: Scope): void {
  const { userService } = services.accounts;
  const route = createRoute({
    method: 'post',
    path: `${scope.path}/{id}/link`,
    summary: `Create a sign-in link for a user${scope.ofAccount}`,
    description:
      'Creates a link that signs a user in once within three days, for a user who has no password or forgot it. Earlier links of the user stop working. The link is returned only in this response.',
    tags: scope.tags,
    ...scope.security,
    middleware: guards.post(scope.permission),
    request: {
      params: withId(scope),
      headers: postHeaders,
      body: { content: { 'application/json': { schema: signInLinkRequest } } },
    },
    responses: {
      201: {
        description: 'The user and the link.',
        content: { 'application/json': { schema: invitationBody } },
      },
      ...problemResponses('post', 'not_found', 'conflict', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const accountId = await scope.accountOf(c);
    const id = c.req.param('id');
    const { send_mail: isMailed = false } = c.req.valid('json');
    const user = isMailed
      ? (await userService.list(accountId)).find(({ userId }) => userId === id)
      : undefined;
    const to = user === undefined ? null : await inviter.takeMail(accountId, user.login);
    const reply = await inviter.invite(c, to, (kept) =>
      userService.createLink(accountId, id, managerOf(c), kept),
    );
    return send(c, reply) as never;
  });
}

function routeChange({ http, guards, services }: Router, scope: Scope): void {
  const { userService } = services.accounts;
  const route = createRoute({
    method: 'patch',
    path: `${scope.path}/{id}`,
    summary: `Change a user${scope.ofAccount}`,
    description:
      'Changes the role of a user, or disables or enables the user. A lower role, the role `operator` and disabling sign the user out. The account keeps at least one admin, and you cannot lower your own role or disable yourself.',
    tags: scope.tags,
    ...scope.security,
    middleware: guards.change(scope.permission),
    request: {
      params: withId(scope),
      body: { content: { 'application/json': { schema: userChangeRequest } } },
    },
    responses: {
      200: { description: 'The user.', content: { 'application/json': { schema: userBody } } },
      ...problemResponses('patch', 'not_found', 'conflict', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const { role, disabled } = c.req.valid('json');
    const changes = {
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { isDisabled: disabled }),
    };
    const accountId = await scope.accountOf(c);
    const user = await userService.change(accountId, c.req.param('id'), changes, managerOf(c));
    return c.json(toUserBody(user), 200);
  });
}

function withId({ params }: Scope) {
  return params.extend({
    id: z
      .string()
      .openapi({ param: { name: 'id', in: 'path' }, example: 'usr_01a1ff734ad87655b2c761ba36458456' }),
  });
}

function managerOf(c: ApiContext): UserManager {
  return { ...actorOf(c), permissions: c.var.caller.permissions };
}

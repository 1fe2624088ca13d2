import { createRoute, z } from '@hono/zod-openapi';
import {
  signInByLink,
  signInByPassword,
  type PasswordTry,
  type SignInService,
} from '../../../core/accounts/sign-in.ts';
import { checkPassword, hashPassword, isPassword } from '../../../core/accounts/password.ts';
import { authenticateSession, type SignedIn } from '../../../core/accounts/authenticate.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { requireSession, takeFailure, tooMany } from '../../http/authorise.ts';
import { Problem } from '../../http/problem.ts';
import { createPasswordLimiter } from './password-limiter.ts';
import { rejectGuessable } from './password-strength.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { readJson } from '../../http/read-json.ts';
import type { RequestLimits, SignInTry } from '../../http/request-limits.ts';
import type { Router } from '../../http/router.ts';
import { ownPagesOnly } from '../../http/same-origin.ts';
import { giveSession, sessionToken, takeSession } from '../../http/session-cookie.ts';
import {
  passwordRequest,
  sessionBody,
  sessionListBody,
  signInRequest,
  toSessionBody,
  toSessionListBody,
} from './session-schema.ts';

/** Time after a sign-in by link in which a user can set a password without the current one, which may be forgotten. */
const freshLinkMs = 15 * 60_000;

const agentCharsMax = 200;
const tags = ['Session'];
const nothing = { 204: { description: 'Done.' } };

/** Routes `/v1/session` and `/v1/sessions`: sign-in and sign-out of the console. Programs use API keys. */
export function routeSession(router: Router): void {
  const {
    accounts: { users, sessions },
  } = router.services;
  const signIn: SignInService = { users, sessions, withLimit: createPasswordLimiter() };
  routeRead(router);
  routeSignIn(router, signIn);
  routeSignOut(router);
  routeSessions(router);
  routePassword(router, signIn);
}

function routeRead({ http, services }: Router): void {
  const { sessions, provider } = services.accounts;
  const route = createRoute({
    method: 'get',
    path: '/v1/session',
    summary: 'Read the current session',
    description: 'Returns the user of the session cookie. Without a session, `user` is null.',
    tags,
    security: [],
    middleware: [ownPagesOnly],
    responses: {
      200: { description: 'The session.', content: { 'application/json': { schema: sessionBody } } },
      ...problemResponses('get', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const token = sessionToken(c);
    const found = token === null ? null : await authenticateSession(sessions, token);
    return c.json(toSessionBody(found, provider?.name ?? null), 200);
  });
}

function routeSignIn(
  {
    http,
    services: {
      accounts: { sessions, provider },
    },
    limits,
  }: Router,
  signIn: SignInService,
): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/session',
    summary: 'Sign in',
    description:
      'Starts a session with a login and a password, or with a single-use link. The session is set as a cookie.',
    tags,
    security: [],
    middleware: [ownPagesOnly, readJson],
    request: { body: { content: { 'application/json': { schema: signInRequest } } } },
    responses: {
      200: { description: 'The session.', content: { 'application/json': { schema: sessionBody } } },
      ...problemResponses('post', 'sign_in_refused', 'foreign_origin'),
    },
  });

  async function byPassword(c: ApiContext, given: PasswordTry): Promise<string> {
    const tried = { login: given.login, address: c.var.address };
    await takeTry(limits, tried);
    const token = await signInByPassword(signIn, given, originOf(c));
    if (token === null) throw new Problem('sign_in_refused');
    await limits.forgetSignIns(tried);
    return token;
  }

  async function byLink(c: ApiContext, link: string): Promise<string> {
    const token = await signInByLink(signIn, link, originOf(c));
    if (token !== null) return token;
    await takeFailure(limits, c, 'Too many sign-in attempts from this address');
    throw new Problem('sign_in_refused');
  }

  http.openapi(route, async (c) => {
    const given = c.req.valid('json');
    const token = await ('login' in given ? byPassword(c, given) : byLink(c, given.link));
    giveSession(c, token);
    return c.json(toSessionBody(await authenticateSession(sessions, token), provider?.name ?? null), 200);
  });
}

/** Counts an attempt with a password, before the password is checked. @throws Problem when there were too many */
async function takeTry(limits: RequestLimits, tried: SignInTry): Promise<void> {
  const taken = await limits.takeSignIn(tried);
  if (!taken.allowed) throw tooMany(taken, 'Too many sign-in attempts from this address');
}

function routeSignOut({ http, services }: Router): void {
  const { sessions } = services.accounts;
  const route = createRoute({
    method: 'delete',
    path: '/v1/session',
    summary: 'Sign out',
    description: 'Ends the session of the request. Without a session it does nothing.',
    tags,
    security: [],
    middleware: [ownPagesOnly],
    responses: { ...nothing, ...problemResponses('delete', 'foreign_origin') },
  });
  http.openapi(route, async (c) => {
    const token = sessionToken(c);
    const found = token === null ? null : await authenticateSession(sessions, token);
    if (found !== null) await sessions.end(found.digest);
    takeSession(c);
    return c.body(null, 204);
  });
}

function routeSessions({ http, services }: Router): void {
  const { sessions } = services.accounts;
  const list = createRoute({
    method: 'get',
    path: '/v1/sessions',
    summary: 'List sessions',
    description: 'Returns the sessions of the signed-in user, newest first.',
    tags,
    security: [{ session: [] }],
    responses: {
      200: { description: 'All sessions.', content: { 'application/json': { schema: sessionListBody } } },
      ...problemResponses('get', 'session_ended', 'foreign_origin'),
    },
  });
  http.openapi(list, async (c) => {
    const { session, digest } = await requireSession(sessions, c, sessionToken(c));
    return c.json(toSessionListBody(await sessions.list(session.userId, digest)), 200);
  });

  const endAll = createRoute({
    method: 'delete',
    path: '/v1/sessions',
    summary: 'Sign out everywhere',
    description:
      'Ends all sessions of the signed-in user, including this one, and revokes unused sign-in links.',
    tags,
    security: [{ session: [] }],
    responses: { ...nothing, ...problemResponses('delete', 'session_ended', 'foreign_origin') },
  });
  http.openapi(endAll, async (c) => {
    const { session } = await requireSession(sessions, c, sessionToken(c));
    await sessions.endAll(session.userId, { actor: session.userId, address: c.var.address });
    takeSession(c);
    return c.body(null, 204);
  });

  const endOne = createRoute({
    method: 'delete',
    path: '/v1/sessions/{id}',
    summary: 'End a session',
    description: 'Ends one session of the signed-in user.',
    tags,
    security: [{ session: [] }],
    request: { params: z.object({ id: z.string().openapi({ param: { name: 'id', in: 'path' } }) }) },
    responses: { ...nothing, ...problemResponses('delete', 'session_ended', 'foreign_origin', 'not_found') },
  });
  http.openapi(endOne, async (c) => {
    const { session } = await requireSession(sessions, c, sessionToken(c));
    await sessions.endOne(session.userId, c.req.valid('param').id);
    return c.body(null, 204);
  });
}

function routePassword(
  {
    http,
    services: {
      accounts: { sessions, users },
    },
    limits,
  }: Router,
  signIn: SignInService,
): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/session/password',
    summary: 'Set a password',
    description: 'Sets the password of the signed-in user and ends all of their other sessions.',
    tags,
    security: [{ session: [] }],
    middleware: [ownPagesOnly, readJson],
    request: { body: { content: { 'application/json': { schema: passwordRequest } } } },
    responses: {
      ...nothing,
      ...problemResponses('post', 'session_ended', 'sign_in_refused', 'foreign_origin'),
    },
  });
  http.openapi(route, async (c) => {
    const signedIn = await requireSession(sessions, c, sessionToken(c));
    const { session, digest } = signedIn;
    const { current, password } = c.req.valid('json');
    checkPassword(password);
    await rejectGuessable(password, session.login);
    if (isCurrentNeeded(signedIn)) {
      await takeTry(limits, { login: session.login, address: c.var.address });
      const known = await users.findForSignIn(session.login);
      const isRight = await signIn.withLimit(() => isPassword(current ?? '', known?.hash ?? null));
      if (!isRight)
        throw new Problem('sign_in_refused', { titles: ['current: is not the current password'] });
    }
    const hash = await signIn.withLimit(() => hashPassword(password));
    await users.setPassword(session.userId, hash, { actor: session.userId, address: c.var.address }, digest);
    return c.body(null, 204);
  });
}

function isCurrentNeeded({ session: { hasPassword, method, beganAt } }: SignedIn): boolean {
  return hasPassword && (method !== 'link' || Date.now() - beganAt.getTime() > freshLinkMs);
}

/** Returns the origin of a session: address and user agent. */
export function originOf(c: ApiContext) {
  return { address: c.var.address, agent: (c.req.header('user-agent') ?? '').slice(0, agentCharsMax) };
}

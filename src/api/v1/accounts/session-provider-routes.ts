import { createRoute, z } from '@hono/zod-openapi';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { beginSession } from '../../../core/accounts/sign-in.ts';
import { SourceUnavailable } from '../../../core/errors.ts';
import type { Logger } from '../../../log.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { takeFailure } from '../../http/authorise.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { giveSession } from '../../http/session-cookie.ts';
import { originOf } from './session-routes.ts';

const path = '/v1/session/provider';
/** Cookie of a sign-in in progress. The browser returns with it from another site, so it cannot be as strict as the session cookie. */
const secretCookie = 'nightshift_sign_in';
const secretSeconds = 10 * 60;

/** Routes `/v1/session/provider`: sign-in through an identity provider (OpenID Connect), if one is configured. */
export function routeSessionProvider(router: Router): void {
  routeBegin(router);
  routeCallback(router);
}

function routeBegin({ http, services, baseUrl, log }: Router): void {
  const { provider } = services.accounts;
  const route = createRoute({
    method: 'get',
    path,
    summary: 'Sign in through the identity provider',
    description: 'Redirects the browser to the identity provider, if one is configured.',
    tags: ['Session'],
    security: [],
    responses: {
      302: {
        description:
          'Redirect to the provider, or back to the sign-in page if the provider cannot be reached.',
      },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    if (provider === null) throw new Problem('not_found');
    const begun = await unlessAway(c, log, provider.begin(`${baseUrl}${path}/callback`));
    if (begun === null) return reject(c, 'unreachable');
    const { url, secret } = begun;
    setCookie(c, secretCookie, secret, {
      path,
      httpOnly: true,
      sameSite: 'Lax',
      secure: c.var.isSecure,
      maxAge: secretSeconds,
    });
    return c.redirect(url, 302);
  });
}

function routeCallback({ http, services, limits, log }: Router): void {
  const {
    accounts: { provider, users, sessions },
  } = services;
  const route = createRoute({
    method: 'get',
    path: `${path}/callback`,
    summary: 'Complete a sign-in through the identity provider',
    description:
      'Callback of the identity provider. Starts a session for the user whom the provider authenticated, and redirects the browser to the console.',
    tags: ['Session'],
    security: [],
    request: { query: z.looseObject({}) },
    responses: {
      302: { description: 'Redirect to the console, or to the sign-in page with an error.' },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    if (provider === null) throw new Problem('not_found');
    const secret = getCookie(c, secretCookie) ?? '';
    deleteCookie(c, secretCookie, { path, secure: c.var.isSecure });
    const answer = await unlessAway(c, log, provider.finish(new URL(c.req.url), secret));
    if (answer === null) return reject(c, 'unreachable');
    const user = answer.kind === 'known' ? await users.findForSignIn(answer.login) : null;
    if (user === null) {
      const reason = answer.kind === 'refused' ? answer.reason : 'no user has this address';
      log.info(
        { requestId: c.var.requestId, reason },
        'A sign-in through the identity provider was rejected.',
      );
      await takeFailure(limits, c, 'Too many sign-in attempts from this address');
      return reject(c, answer.kind === 'known' ? 'unknown' : 'refused');
    }
    giveSession(c, await beginSession(sessions, user.userId, { ...originOf(c), method: 'provider' }));
    return c.redirect('/', 302);
  });
}

/** Awaits the provider. Null when it is unreachable; the log has the error. */
async function unlessAway<T>(c: ApiContext, log: Logger, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof SourceUnavailable)) throw error;
    log.warn({ requestId: c.var.requestId, err: error }, 'The identity provider could not be reached.');
    return null;
  }
}

/** Redirects a failed sign-in to the sign-in page, which shows the error: the client is a browser. */
function reject(c: ApiContext, why: 'unreachable' | 'unknown' | 'refused'): Response {
  return c.redirect(`/sign-in?provider=${why}`, 302);
}

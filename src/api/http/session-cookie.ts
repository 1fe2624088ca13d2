import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sessionDays } from '../../core/accounts/session-store.ts';
import type { ApiContext } from './api-env.ts';

/** Reads the session token of a request. Null without one. */
export function sessionToken(c: ApiContext): string | null {
  return getCookie(c, cookieName(c)) ?? null;
}

/** Sets the session cookie: scripts cannot read it, and requests from other sites do not send it. */
export function giveSession(c: ApiContext, token: string): void {
  setCookie(c, cookieName(c), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.var.isSecure,
    maxAge: sessionDays.most * 24 * 60 * 60,
  });
}

/** Deletes the session cookie. */
export function takeSession(c: ApiContext): void {
  deleteCookie(c, cookieName(c), { path: '/', secure: c.var.isSecure });
}

/** Name of the cookie. Behind TLS it has a prefix that only this host can set (RFC 6265bis §4.1.3.2). */
function cookieName(c: ApiContext): string {
  return c.var.isSecure ? '__Host-nightshift_session' : 'nightshift_session';
}

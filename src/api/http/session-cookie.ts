import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sessionDays } from '../../core/accounts/session-store.ts';
import type { ApiContext } from './api-env.ts';

/** The token of the session that a request carries; null without one. */
export function sessionToken(c: ApiContext): string | null {
  return getCookie(c, cookieName(c)) ?? null;
}

/** Hands a session to the browser: no script reads it, and no other site's request carries it. */
export function giveSession(c: ApiContext, token: string): void {
  setCookie(c, cookieName(c), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.var.isSecure,
    maxAge: sessionDays.most * 24 * 60 * 60,
  });
}

/** Takes it back. */
export function takeSession(c: ApiContext): void {
  deleteCookie(c, cookieName(c), { path: '/', secure: c.var.isSecure });
}

/** Behind TLS a name that only this very host can set (RFC 6265bis §4.1.3.2). */
function cookieName(c: ApiContext): string {
  return c.var.isSecure ? '__Host-nightshift_session' : 'nightshift_session';
}

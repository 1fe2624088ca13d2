import type { Logger } from '../../log.ts';
import {
  authenticate,
  authenticateSession,
  type Caller,
  type SignedIn,
} from '../../core/accounts/authenticate.ts';
import type { Scope } from '../../core/accounts/api-key.ts';
import type { FoundKey, KeyStore } from '../../core/accounts/key-store.ts';
import type { Permission } from '../../core/accounts/roles.ts';
import type { FoundSession, SessionStore } from '../../core/accounts/session-store.ts';
import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { Problem, secondsOf } from './problem.ts';
import type { RequestLimits } from './request-limits.ts';
import { requireSameOrigin } from './same-origin.ts';
import { sessionToken } from './session-cookie.ts';
import type { Taken } from './take-requests.ts';
import { rejectUnstorableQuery } from './unstorable-text.ts';

export interface AuthoriseOptions {
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly limits: RequestLimits;
  readonly log: Logger;
}

/** Creates the middleware of routes with a permission. `isRead`: the route changes nothing, although its method is not GET. */
export type Authorise = (permission: Permission, options?: { readonly isRead?: boolean }) => ApiMiddleware;

/**
 * Authorises a request by its API key: the key is valid, has the scope, and is within the rate limits of the key and its account
 * (docs/architecture/contract.md, 5). Without a key, a request from the console is authorised by its session and the role of its user.
 *
 * The key is read from the header X-API-Key only. Every kind of invalid key gets the same response. An address that sends too many
 * invalid keys is rate limited.
 */
export function createAuthorise(options: AuthoriseOptions): Authorise {
  const { keys, sessions, limits, log } = options;

  async function reject(c: ApiContext, digest: Buffer): Promise<never> {
    await takeFailure(limits, c, 'Too many requests with an invalid key from this address');
    note(keys.noteRefusal(digest, c.var.address), log);
    throw new Problem('invalid_api_key');
  }

  async function withLimit(c: ApiContext, caller: Caller, who: string): Promise<void> {
    const taken = await limits.take(caller);
    for (const [name, value] of Object.entries(limitHeaders(taken))) c.header(name, value);
    if (!taken.allowed) throw tooMany(taken, `Too many requests with this ${who} or from this account`);
  }

  function requireScope(c: ApiContext, key: FoundKey, permission: Permission): void {
    if (key.scopes.some((scope: Scope) => scope === permission)) return;
    note(keys.noteDenial(key, c.var.address, { scope: permission, path: c.req.path }), log);
    const title =
      permission === 'operator'
        ? 'API keys cannot do this. It requires the session of an operator'
        : `This key lacks the scope ${permission}`;
    throw new Problem('insufficient_scope', { titles: [title] });
  }

  async function byKey(c: ApiContext, permission: Permission): Promise<Caller> {
    const found = await authenticate(keys, c.req.header('x-api-key') ?? '');
    if (found.kind === 'refused') return reject(c, found.digest);
    await withLimit(c, found.caller, 'key');
    requireScope(c, found.key, permission);
    if (!found.key.isUseNoted) note(keys.noteUse(found.key, c.var.address), log);
    return found.caller;
  }

  async function bySession(
    c: ApiContext,
    token: string,
    { permission, isRead }: { readonly permission: Permission; readonly isRead: boolean },
  ): Promise<Caller> {
    const { caller, session, digest } = await requireSession(sessions, c, token);
    await withLimit(c, caller, 'session');
    rejectChangeOfViewed(session, isRead, caller.permissions.includes(permission));
    if (!caller.permissions.includes(permission)) {
      throw new Problem('insufficient_scope', {
        titles: [`A user with the role ${session.role} lacks the permission ${permission}`],
      });
    }
    if (!session.isUseNoted) note(sessions.noteUse(digest), log);
    return caller;
  }

  /** Finds the caller of a request again; null when the key or session is no longer valid. */
  async function findAgain(c: ApiContext, token: string | null): Promise<Caller | null> {
    if (token !== null) return (await authenticateSession(sessions, token))?.caller ?? null;
    const found = await authenticate(keys, c.req.header('x-api-key') ?? '');
    return found.kind === 'caller' ? found.caller : null;
  }

  return (permission, { isRead = false } = {}) =>
    async (c, next) => {
      const token = c.req.header('x-api-key') === undefined ? sessionToken(c) : null;
      const caller = await (token === null
        ? byKey(c, permission)
        : bySession(c, token, { permission, isRead: isRead || c.req.method === 'GET' }));
      rejectUnstorableQuery(c.req.url);
      c.set('caller', caller);
      c.set('isStillAuthorised', async () => {
        const again = await findAgain(c, token);
        const { accountId, permissions } = caller;
        return again?.accountId === accountId && permissions.every((own) => again.permissions.includes(own));
      });
      return next();
    };
}

/** Reads the session of a request from the console. @throws Problem without a session, or when the session has ended */
export async function requireSession(
  sessions: SessionStore,
  c: ApiContext,
  token: string | null,
): Promise<SignedIn> {
  requireSameOrigin(c);
  const found = token === null ? null : await authenticateSession(sessions, token);
  if (found === null) throw new Problem('session_ended');
  return found;
}

/** Rejects what an operator who views an account may not do. @throws Problem that names the account */
function rejectChangeOfViewed({ viewed }: FoundSession, isRead: boolean, isPermitted: boolean): void {
  if (viewed === null || (isRead && isPermitted)) return;
  throw new Problem('insufficient_scope', {
    titles: [`You view the account ${viewed.account} read-only. Stop viewing it first`],
  });
}

/** Counts an invalid key or token. @throws Problem when its address has sent too many */
export async function takeFailure(limits: RequestLimits, c: ApiContext, title: string): Promise<void> {
  const taken = await limits.takeFailure(c.var.address);
  if (!taken.allowed) throw tooMany(taken, title);
}

/** Writes to the audit log in the background. An error does not fail the request. */
function note(writing: Promise<void>, log: Logger): void {
  writing.catch((error: unknown) => log.warn({ err: error }, 'The audit log could not be written.'));
}

/** Creates the problem of a rate limit, with the time to retry. */
export function tooMany(taken: Taken, title: string): Problem {
  return new Problem('rate_limit_exceeded', {
    titles: [title],
    headers: { 'Retry-After': String(secondsOf(taken.resetMs)) },
  });
}

/** Rate limit headers of draft-ietf-httpapi-ratelimit-headers-10, and those of its draft 06, which more clients read. */
function limitHeaders({ limit, remaining, resetMs, windowSeconds }: Taken): Readonly<Record<string, string>> {
  return {
    'RateLimit-Policy': `"requests";q=${limit};w=${windowSeconds}`,
    RateLimit: `"requests";r=${remaining};t=${secondsOf(resetMs)}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(secondsOf(resetMs)),
  };
}

import type { Logger } from '../log.ts';
import type { Scope } from '../core/access/api-key.ts';
import { authenticate } from '../core/access/authenticate.ts';
import type { FoundKey, KeyStore } from '../core/access/key-store.ts';
import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { Problem, secondsOf } from './problem.ts';
import type { RequestLimits, Taken } from './request-limits.ts';

export interface AuthoriseOptions {
  readonly keys: KeyStore;
  readonly limits: RequestLimits;
  readonly log: Logger;
}

/**
 * Lets a request pass whose key holds and has the scope, within the limits of the key and its account (service contract §5).
 *
 * The key is taken from the header X-API-Key and from nowhere else. Every kind of bad key gets the same answer; an address that
 * presents too many of them is told to wait.
 */
export function createAuthorise(options: AuthoriseOptions): (scope: Scope) => ApiMiddleware {
  const { keys, limits, log } = options;

  async function refuse(c: ApiContext, digest: Buffer): Promise<never> {
    const taken = await limits.takeFailure(c.var.address);
    if (!taken.allowed) throw tooMany(taken, 'Too many requests with a bad key from this address');
    note(keys.noteRefusal(digest, c.var.address), log);
    throw new Problem('invalid_api_key');
  }

  function requireScope(c: ApiContext, key: FoundKey, scope: Scope): void {
    if (key.scopes.includes(scope)) return;
    note(keys.noteDenial(key, c.var.address, { scope, path: c.req.path }), log);
    throw new Problem('insufficient_scope', { titles: [`This key lacks the scope ${scope}`] });
  }

  return (scope) => async (c, next) => {
    const found = await authenticate(keys, c.req.header('x-api-key') ?? '');
    if (found.kind === 'refused') return refuse(c, found.digest);
    const taken = await limits.take(found.caller);
    for (const [name, value] of Object.entries(limitHeaders(taken))) c.header(name, value);
    if (!taken.allowed) throw tooMany(taken, 'Too many requests with this key or from this account');
    requireScope(c, found.key, scope);
    if (!found.key.isUseNoted) note(keys.noteUse(found.key, c.var.address), log);
    refuseNul(c.req.url);
    c.set('caller', found.caller);
    return next();
  };
}

/** Nothing of ours has a NUL in it, and Postgres would not even compare it. */
function refuseNul(url: string): void {
  const { pathname, search } = new URL(url);
  if (/%00/.test(pathname)) throw new Problem('not_found');
  if (/%00/.test(search)) throw new Problem('validation_error', { titles: ['The query has a NUL in it'] });
}

/** Not worth a request's failure, nor its time. */
function note(writing: Promise<void>, log: Logger): void {
  writing.catch((error: unknown) => log.warn({ err: error }, 'The audit log could not be written.'));
}

function tooMany(taken: Taken, title: string): Problem {
  return new Problem('rate_limit_exceeded', {
    titles: [title],
    headers: { 'Retry-After': String(secondsOf(taken.resetMs)) },
  });
}

function limitHeaders({ limit, remaining, resetMs }: Taken): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(secondsOf(resetMs)),
  };
}

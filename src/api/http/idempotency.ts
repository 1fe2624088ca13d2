import { createHash } from 'node:crypto';
import type { StatusCode } from 'hono/utils/http-status';
import { LeaseLost } from '../../core/errors.ts';
import type {
  IdempotencyStore,
  StoredResponse,
  Reply,
  ReplyClaim,
} from '../../core/accounts/stored-response.ts';
import { keepRenewing } from '../../core/async/keep-renewing.ts';
import type { ApiContext, ApiMiddleware, Keeping } from './api-env.ts';
import { Problem } from './problem.ts';
import { openReply, encryptResponse } from './responses/encrypted-response.ts';
import { sessionToken } from './session-cookie.ts';

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** Lifetime of a claim without a renewal. A repeat waits this long when the process of the first request died. */
  readonly leaseMs: number;
}

/** Runs a request at most once for each Idempotency-Key of its account; see `idempotent`. */
export type RunOnce = (
  c: ApiContext,
  fingerprint: Buffer,
  work: () => Promise<Response>,
) => Promise<Response>;

const keyForm = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs requests with an Idempotency-Key (docs/architecture/api.md). The first one claims the key and runs; while it runs, others get 409;
 * afterwards they get its response again, byte for byte. Only a 2xx is stored: after any other response the key is free again.
 */
export function createRunOnce({ store, leaseMs }: IdempotencyOptions): RunOnce {
  async function claimed(c: ApiContext, claim: ReplyClaim, work: () => Promise<Response>): Promise<Response> {
    const keeping: Keeping = { claim, reply: null };
    c.set('keeping', keeping);
    const endRenewing = keepRenewing(() => store.renew(claim, leaseMs), {
      everyMs: leaseMs / 3,
      onError: () => undefined,
    });
    try {
      const response = await work();
      if (!response.ok) await store.release(claim);
      else if (keeping.reply === null) await store.keep(claim, await toReply(response));
      return response;
    } catch (error) {
      // Another request took the key over with its own token: there is nothing to release.
      if (!(error instanceof LeaseLost)) await store.release(claim);
      throw error;
    } finally {
      await endRenewing();
    }
  }

  return async (c, fingerprint, work) => {
    const key = c.req.header('idempotency-key');
    if (key === undefined) return work();
    if (!keyForm.test(key)) {
      throw new Problem('validation_error', {
        titles: ['Idempotency-Key: must have 1 to 255 visible ASCII characters'],
      });
    }
    const { accountId } = c.var.caller;
    const found = await store.claim({ accountId, key, requestId: c.var.requestId, fingerprint, leaseMs });
    switch (found.kind) {
      case 'claimed':
        return claimed(c, found.claim, work);
      case 'replay':
        return replay(c, found.reply);
      case 'in_flight':
        throw new Problem('idempotency_conflict', { headers: { 'Retry-After': '1' } });
      case 'reused':
        throw new Problem('idempotency_key_reused');
    }
  };
}

/** Runs a request once whose body was read completely. Its fingerprint covers its method, path and body. */
export function idempotent(runOnce: RunOnce): ApiMiddleware {
  return async (c, next) => {
    const body = Buffer.from(await c.req.arrayBuffer());
    const { pathname, search } = new URL(c.req.url);
    return runOnce(c, fingerprintOf([c.req.method, pathname, search, body]), async () => {
      await next();
      return c.res;
    });
  };
}

/** Fingerprints a request. Each part is preceded by its length, so that the parts cannot be confused. */
export function fingerprintOf(parts: readonly (string | Buffer)[]): Buffer {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(`${Buffer.byteLength(part)}:`).update(part);
  return digest.digest();
}

/** Stores the response in the transaction of its effect. Null for a request without an Idempotency-Key. */
export function storeInTransaction<Answer>(
  c: ApiContext,
  toReplyOf: (answer: Answer) => Reply,
): StoredResponse<Answer> | null {
  const { keeping } = c.var;
  if (keeping === null) return null;
  return {
    claim: keeping.claim,
    toReply: (answer) => (keeping.reply = toReplyOf(answer)),
  };
}

/** Stores a response with a secret, encrypted, in the transaction of its effect. */
export function keptSealed<Answer>(
  c: ApiContext,
  toReplyOf: (answer: Answer) => Reply,
): StoredResponse<Answer> | null {
  return storeInTransaction(c, (answer: Answer) => encryptResponse(toReplyOf(answer), presentedSecret(c)));
}

/** Stores a response with a secret, encrypted, after an effect that had its own transaction. Does nothing without an Idempotency-Key. */
export async function keepSealed(
  c: ApiContext,
  store: Pick<IdempotencyStore, 'keep'>,
  reply: Reply,
): Promise<void> {
  const kept = keptSealed(c, () => reply);
  if (kept !== null) await store.keep(kept.claim, kept.toReply(reply));
}

/** Secret with which the caller authenticates. */
function presentedSecret(c: ApiContext): string {
  return c.req.header('x-api-key') ?? sessionToken(c) ?? '';
}

/** Returns the response that was stored with the effect, if any: a repeat gets the same bytes. */
export function storedResponse(c: ApiContext): Reply | null {
  return c.var.keeping?.reply ?? null;
}

/** Creates a JSON response once, so that a repeat gets the same bytes. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Sends a response. */
export function send(c: ApiContext, { status, headers, body }: Reply): Response {
  return c.newResponse(new Uint8Array(body), status as StatusCode, { ...headers });
}

function replay(c: ApiContext, kept: Reply): Response {
  const reply = openReply(kept, presentedSecret(c));
  if (reply === null) {
    throw new Problem('idempotency_conflict', {
      titles: [
        'The response to this Idempotency-Key contains a secret. Repeat the request with the API key or the session that sent it first',
      ],
    });
  }
  return send(c, { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } });
}

/** Headers that are stored with a response. All others belong to one transmission. */
const keptHeaders = ['content-type', 'location'];

async function toReply(response: Response): Promise<Reply> {
  const headers = keptHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: Buffer.from(await response.clone().arrayBuffer()),
  };
}

import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from '../../core/accounts/authenticate.ts';
import type { Reply, ReplyClaim } from '../../core/accounts/stored-response.ts';

/** Variables of a request. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Id of the request: in every response, and on the lookup of a search. */
    requestId: string;
    /** Address of the client. */
    address: string;
    /** True when the connection to the client is encrypted, by this process or by a proxy in front of it. */
    isSecure: boolean;
    /** Authenticated caller; set by `requireScope`. */
    caller: Caller;
    /**
     * Authorises the caller of the request once more, without counting a request: for responses that last. False after its key or session
     * has become invalid, has lost a permission or belongs to another account. Set by `requireScope`.
     */
    isStillAuthorised: () => Promise<boolean>;
    /** Set while a request with an Idempotency-Key runs; null without one. */
    keeping: Keeping | null;
  };
}

/** A claimed Idempotency-Key. */
export interface Keeping {
  readonly claim: ReplyClaim;
  /** The response, once it is stored together with its effect. */
  reply: Reply | null;
}

export type ApiContext = Context<ApiEnv>;
export type ApiMiddleware = MiddlewareHandler<ApiEnv>;

/** A response as it is sent. A repeated request gets the same bytes. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The right to execute the request of an Idempotency-Key, until the lease ends. */
export interface ReplyClaim {
  readonly accountId: number;
  readonly key: string;
  /** Fencing token: only its holder may store the response and commit the effect. */
  readonly token: string;
}

/** Stores a response in the transaction of its effect. */
export interface StoredResponse<Answer> {
  readonly claim: ReplyClaim;
  readonly toReply: (answer: Answer) => Reply;
}

/** Result of claiming an idempotency key. */
export type ClaimedKey =
  | { readonly kind: 'claimed'; readonly claim: ReplyClaim }
  /** The first request with this key is still running. */
  | { readonly kind: 'in_flight' }
  /** The key was used for another request. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'replay'; readonly reply: Reply };

/** Port: stored responses of requests with an Idempotency-Key, kept for 24 hours. */
export interface IdempotencyStore {
  /**
   * Claims a key of the account for the request with this fingerprint, and commits the claim before any work starts. A claim
   * whose lease has expired is taken over; its previous holder can store nothing any more.
   */
  claim(request: {
    readonly accountId: number;
    readonly key: string;
    /** Fingerprint of the request. */
    readonly requestId: string;
    readonly fingerprint: Buffer;
    readonly leaseMs: number;
  }): Promise<ClaimedKey>;
  /** Extends the lease. False when another process has taken over the claim. */
  renew(claim: ReplyClaim, leaseMs: number): Promise<boolean>;
  /** Stores the response of a request that has no transaction of its own. @throws LeaseLost */
  keep(claim: ReplyClaim, reply: Reply): Promise<void>;
  /** Releases the key, because the request had no effect. */
  release(claim: ReplyClaim): Promise<void>;
}

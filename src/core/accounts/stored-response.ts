/** An answer as it goes over the wire. A repeat is given the same bytes. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The right to do what an Idempotency-Key stands for, until its lease ends. */
export interface ReplyClaim {
  readonly accountId: number;
  readonly key: string;
  /** The fence: only who holds it may store the answer, and with it the effect. */
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
  /** The first request with this key is under way. */
  | { readonly kind: 'in_flight' }
  /** The key stood for something else. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'replay'; readonly reply: Reply };

/** Port: requests that carry an Idempotency-Key, for 24 hours. */
export interface IdempotencyStore {
  /**
   * Claims a key of the account for what the fingerprint stands for, committed before anything is done. A claim whose lease lapsed
   * is taken over: whoever held it can store nothing any more.
   */
  claim(request: {
    readonly accountId: number;
    readonly key: string;
    /** Names the request. */
    readonly requestId: string;
    readonly fingerprint: Buffer;
    readonly leaseMs: number;
  }): Promise<ClaimedKey>;
  /** False when the claim is somebody else's by now. */
  renew(claim: ReplyClaim, leaseMs: number): Promise<boolean>;
  /** Stores the answer of what needs no transaction of its own. @throws LeaseLost */
  keep(claim: ReplyClaim, reply: Reply): Promise<void>;
  /** Gives the key back: what was asked for did not happen. */
  release(claim: ReplyClaim): Promise<void>;
}

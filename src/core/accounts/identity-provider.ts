/** A sign-in that has begun at the provider and is to be brought to its end in the same browser. */
export interface BegunSignIn {
  /** Where the browser goes. */
  readonly url: string;
  /** What only this browser knows; handed back at the end. */
  readonly secret: string;
}

/** What came of it: the login that the provider vouches for, or why it vouches for none, in plain words. */
export type ProviderAnswer =
  { readonly kind: 'known'; readonly login: string } | { readonly kind: 'refused'; readonly reason: string };

/** Port: somebody else who knows who people are. Who may sign in is the operator's to say all the same. */
export interface IdentityProvider {
  /** What people call it. */
  readonly name: string;
  /** @throws SourceUnavailable when it cannot be reached. */
  begin(callbackUrl: string): Promise<BegunSignIn>;
  /**
   * @param url the address at which the browser came back, its query included.
   * @throws SourceUnavailable when it cannot be reached.
   */
  finish(url: URL, secret: string): Promise<ProviderAnswer>;
}

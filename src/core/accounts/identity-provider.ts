/** A sign-in that has begun at the provider and is to be brought to its end in the same browser. */
export interface BegunSignIn {
  /** Address to which the browser is redirected. */
  readonly url: string;
  /** Secret of this browser, returned at the end. */
  readonly secret: string;
}

/** Result of a sign-in: the login that the provider vouches for, or the reason why it does not. */
export type ProviderAnswer =
  { readonly kind: 'known'; readonly login: string } | { readonly kind: 'refused'; readonly reason: string };

/** Port: somebody else who knows who people are. Who may sign in is the operator's to say all the same. */
export interface IdentityProvider {
  /** Display name. */
  readonly name: string;
  /** @throws SourceUnavailable when it cannot be reached. */
  begin(callbackUrl: string): Promise<BegunSignIn>;
  /**
   * @param url the address at which the browser came back, its query included.
   * @throws SourceUnavailable when it cannot be reached.
   */
  finish(url: URL, secret: string): Promise<ProviderAnswer>;
}

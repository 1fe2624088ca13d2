/** A sign-in that was started at the provider and must be finished in the same browser. */
export interface BegunSignIn {
  /** Address to which the browser is redirected. */
  readonly url: string;
  /** Secret of this browser, returned at the end. */
  readonly secret: string;
}

/** Result of a sign-in: the login that the provider vouches for, or the reason why it does not. */
export type ProviderAnswer =
  { readonly kind: 'known'; readonly login: string } | { readonly kind: 'refused'; readonly reason: string };

/** Port: an identity provider that vouches for a login. The operator decides which logins may sign in. */
export interface IdentityProvider {
  /** Display name. */
  readonly name: string;
  /** @throws SourceUnavailable when the provider cannot be reached. */
  begin(callbackUrl: string): Promise<BegunSignIn>;
  /**
   * @param url the address to which the browser was redirected, with its query.
   * @throws SourceUnavailable when the provider cannot be reached.
   */
  finish(url: URL, secret: string): Promise<ProviderAnswer>;
}

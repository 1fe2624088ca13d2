import { createGuardedFetch } from '../adapters/http/http-fetch.ts';
import { createOpenIdProvider } from '../adapters/oidc/open-id-provider.ts';
import type { Config, IdentityProviderConfig } from '../config/config.ts';
import type { IdentityProvider } from '../core/accounts/identity-provider.ts';

const deadlineMs = 15_000;
const bodyBytesMax = 1024 * 1024;

/** Opens the configured identity provider. Its host may have a private address; all others must be public. */
export function openIdentityProvider(
  provider: IdentityProviderConfig,
  { allowedHosts }: Pick<Config, 'allowedHosts'>,
): IdentityProvider & { readonly close: () => Promise<void> } {
  const { call, close } = createGuardedFetch({
    allowedHosts: [...allowedHosts, new URL(provider.issuer).host],
    deadlineMs,
    bodyBytesMax,
  });
  return { ...createOpenIdProvider({ ...provider, call }), close };
}

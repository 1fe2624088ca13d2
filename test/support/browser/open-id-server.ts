import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { listenOnLoopback } from '../stand-in/loopback.ts';

/** User of the provider. */
export interface KnownPerson {
  readonly email: string;
  readonly isVerified: boolean;
}

/** Real OpenID provider on loopback. It signs every visitor in as the configured user, without a dialog. */
export interface OpenIdServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets the next user to sign in; null: the next one is rejected. */
  setPerson(person: KnownPerson | null): void;
  readonly close: () => Promise<void>;
}

const clientId = 'nightshift';
const clientSecret = 'test-client-secret';

/** Starts the provider. @param readCallbackUrl returns its only redirect URL. */
export async function startOpenIdServer(readCallbackUrl: () => string): Promise<OpenIdServer> {
  let person: KnownPerson | null = null;
  let handle: ReturnType<Provider['callback']> | undefined;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void answer(request, response);
    else void handle?.(request, response);
  });
  const loopback = await listenOnLoopback(server);
  const issuer = loopback.url;

  async function answer(...exchange: Parameters<Provider['interactionDetails']>): Promise<void> {
    const details = await provider?.interactionDetails(...exchange);
    if (details === undefined || provider === undefined) return;
    if (person === null) {
      await provider.interactionFinished(...exchange, { error: 'access_denied' });
      return;
    }
    const grant = new provider.Grant({ accountId: person.email, clientId });
    grant.addOIDCScope('openid email');
    const grantId = await grant.save();
    await provider.interactionFinished(...exchange, {
      login: { accountId: person.email },
      consent: { grantId },
    });
  }

  return {
    issuer,
    clientId,
    clientSecret,
    setPerson: (next) => {
      person = next;
      provider ??= createProvider();
      handle ??= provider.callback();
    },
    close: loopback.close,
  };

  function createProvider(): Provider {
    return new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [readCallbackUrl()],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      cookies: { keys: ['one', 'two'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: id, email_verified: person?.isVerified ?? false }),
      }),
    });
  }
}

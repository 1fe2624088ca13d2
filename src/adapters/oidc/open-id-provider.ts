import * as client from 'openid-client';
import type { BegunSignIn, IdentityProvider, ProviderAnswer } from '../../core/accounts/identity-provider.ts';
import { Misconfigured, SourceUnavailable } from '../../core/errors.ts';
import { once } from '../../core/async/once.ts';
import type { FetchLike } from '../http/http-fetch.ts';

export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly call: FetchLike;
}

/** The parts of a begun sign-in that come back with the browser. */
interface Secret {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callbackUrl: string;
}

const ownHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Sign-in with OpenID Connect, the authorization code flow and PKCE (OpenID Connect Core 1.0 §3.1, RFC 9700 §2.1). The login is
 * the e-mail address of the claim `email`, and only if the provider has verified it.
 *
 * @throws Misconfigured for an issuer without TLS that is not on this machine.
 */
export function createOpenIdProvider({
  issuer,
  clientId,
  clientSecret,
  name,
  call,
}: OpenIdOptions): IdentityProvider {
  const url = new URL(issuer);
  const isPlain = url.protocol === 'http:';
  if (isPlain && !ownHosts.includes(url.hostname)) {
    throw new Misconfigured('NIGHTSHIFT_OIDC_ISSUER must begin with https://, unless it is on this machine.');
  }
  const discover = once(() =>
    client.discovery(url, clientId, undefined, client.ClientSecretPost(clientSecret), {
      // Validates the signature of the ID token with the provider's keys, although it comes straight from the provider.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      [client.customFetch]: call,
    }),
  );
  return {
    name,
    begin: async (callbackUrl) => {
      const config = await discover().catch((cause: unknown) => {
        throw unreachable(name, cause);
      });
      return begin(config, callbackUrl);
    },
    finish: async (back, secret) => {
      try {
        return await finish(await discover(), back, secret);
      } catch (cause) {
        return evaluate(name, cause);
      }
    },
  };
}

async function begin(config: client.Configuration, callbackUrl: string): Promise<BegunSignIn> {
  const secret: Secret = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    callbackUrl,
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl,
    scope: 'openid email',
    state: secret.state,
    nonce: secret.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secret.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, secret: Buffer.from(JSON.stringify(secret)).toString('base64url') };
}

async function finish(config: client.Configuration, back: URL, text: string): Promise<ProviderAnswer> {
  const secret = parseSecret(text);
  if (secret === null) return refused('the sign-in was started in another browser, or too long ago');
  const callback = new URL(secret.callbackUrl);
  callback.search = back.search;
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: secret.verifier,
    expectedState: secret.state,
    expectedNonce: secret.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) return refused('the provider did not identify the user');
  const profile =
    claims['email'] === undefined
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  const { email, email_verified: isVerified } = profile;
  if (typeof email !== 'string' || email === '')
    return refused('the provider did not send an e-mail address');
  return isVerified === true
    ? { kind: 'known', login: email }
    : refused('the provider has not verified the e-mail address');
}

function parseSecret(text: string): Secret | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Secret;
  } catch {
    return null;
  }
}

function refused(reason: string): ProviderAnswer {
  return { kind: 'refused', reason };
}

/** Maps an error: a rejection by the provider is an answer; no reply is an error. */
function evaluate(name: string, cause: unknown): ProviderAnswer {
  if (cause instanceof client.AuthorizationResponseError || cause instanceof client.ResponseBodyError) {
    return refused(`${name} said: ${cause.error}`);
  }
  if (cause instanceof client.ClientError)
    return refused(`the answer of ${name} is not valid: ${cause.message}`);
  throw unreachable(name, cause);
}

function unreachable(name: string, cause: unknown): SourceUnavailable {
  return new SourceUnavailable(`${name} cannot be reached to sign in`, { inDoubt: false, cause });
}

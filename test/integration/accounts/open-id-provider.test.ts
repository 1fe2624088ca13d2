import { expect, onTestFinished, test } from 'vitest';
import { createOpenIdProvider } from '../../../src/adapters/oidc/open-id-provider.ts';
import type { FetchLike } from '../../../src/adapters/http/http-fetch.ts';
import { startOpenIdServer, type OpenIdServer } from '../../support/browser/open-id-server.ts';

const callbackUrl = 'http://127.0.0.1:9/callback';
const person = { email: 'ida@example.com', isVerified: true };

test('an ID token is accepted if it is signed with a key of the provider', async () => {
  expect(await signIn((call) => call)).toEqual({ kind: 'known', login: person.email });
});

test('an ID token with an invalid signature is rejected, even from the token endpoint of the provider', async () => {
  const forging =
    (call: FetchLike): FetchLike =>
    async (url, init) => {
      const response = await call(url, init);
      if (!String(url).endsWith('/token')) return response;
      const tokens = (await response.json()) as { id_token: string };
      const [header, claims, signature = ''] = tokens.id_token.split('.');
      const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      return Response.json({ ...tokens, id_token: [header, claims, other].join('.') });
    };
  expect(await signIn(forging)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('is not valid') as string,
  });
});

async function signIn(change: (call: FetchLike) => FetchLike) {
  const server = await startOpenIdServer(() => callbackUrl);
  onTestFinished(server.close);
  server.setPerson(person);
  const { issuer, clientId, clientSecret } = server;
  const call = change((url, init) => fetch(url, init as RequestInit));
  const provider = createOpenIdProvider({ issuer, clientId, clientSecret, name: 'Example Login', call });
  const { url, secret } = await provider.begin(callbackUrl);
  return provider.finish(await followRedirects(server, url), secret);
}

/** Follows the provider like a browser, up to the callback URL. */
async function followRedirects({ issuer }: OpenIdServer, begin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(begin);
  while (at.href.startsWith(issuer)) {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(at, { headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    at = new URL(answer.headers.get('location') ?? '', at);
  }
  return at;
}

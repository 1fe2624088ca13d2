import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { startOpenIdServer, type OpenIdServer } from '../../support/browser/open-id-server.ts';

const by = { actor: 'test', address: null };

describeInBrowser('sign-in with an identity provider', (browser) => {
  let provider: OpenIdServer;
  let site: TestApi;

  beforeAll(async () => {
    provider = await startOpenIdServer(() => `${site.url}/v1/session/provider/callback`);
    site = await openTestApi({
      settings: settingsOf(provider),
    });
    await site.app.accounts.users.add(
      { login: 'ida@example.com', accountId: site.app.accounts.defaultId, role: 'member' },
      by,
    );
  });

  afterAll(async () => {
    await site.close();
    await provider.close();
  });

  const visit = async () => {
    const { page, errors } = await browser().open(`${site.url}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
    return { page, errors };
  };

  test('signs in a known user with a verified address', async () => {
    provider.setPerson({ email: 'Ida@example.com', isVerified: true });
    const { page, errors } = await visit();
    await page.getByRole('link', { name: 'ida@example.com' }).waitFor();
    expect(errors).toEqual([]);
    const {
      accounts: { users, sessions },
    } = site.app;
    const { userId } = await users.find('ida@example.com');
    expect((await sessions.list(userId, Buffer.alloc(32))).map(({ method }) => method)).toEqual(['provider']);
  });

  test.each([
    ['an unknown user', { email: 'stranger@example.com', isVerified: true }, 'You are not a user'],
    ['an unverified address', { email: 'ida@example.com', isVerified: false }, 'rejected the sign-in'],
    ['a user that the provider rejects', null, 'rejected the sign-in'],
  ])('rejects %s and shows the reason', async (_who, person, message) => {
    provider.setPerson(person);
    const { page } = await visit();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    expect(await page.getByLabel('Password').isVisible()).toBe(true);
  });

  test('rejects a callback with a foreign state', async () => {
    provider.setPerson({ email: 'ida@example.com', isVerified: true });
    const { page } = await browser().open(
      `${site.url}/v1/session/provider/callback?code=stolen&state=guessed`,
    );
    await page.getByRole('alert').getByText('rejected the sign-in').waitFor();
  });

  test('shows that the provider is unreachable, before the redirect and at the callback, and starts no session', async () => {
    const away = await openTestApi({
      settings: { ...settingsOf(provider), NIGHTSHIFT_OIDC_ISSUER: 'http://127.0.0.1:9' },
    });
    try {
      const { page } = await browser().open(`${away.url}/sign-in`);
      await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
      await page.getByRole('alert').getByText('The identity provider cannot be reached').waitFor();
      await page.goto(`${away.url}/v1/session/provider/callback?code=x&state=y`);
      await page.getByRole('alert').getByText('The identity provider cannot be reached').waitFor();
    } finally {
      await away.close();
    }
  });
});

function settingsOf({ issuer, clientId, clientSecret }: OpenIdServer) {
  return {
    NIGHTSHIFT_OIDC_ISSUER: issuer,
    NIGHTSHIFT_OIDC_CLIENT_ID: clientId,
    NIGHTSHIFT_OIDC_CLIENT_SECRET: clientSecret,
    NIGHTSHIFT_OIDC_NAME: 'Example Login',
  };
}

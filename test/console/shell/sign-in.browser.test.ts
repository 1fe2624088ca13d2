import { expect, test } from 'vitest';
import { createSignInLink } from '../../../src/core/accounts/sign-in.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, outsideRequests, useTestConsole } from '../../support/browser/test-console.ts';

const by = { actor: 'test', address: null };

describeInBrowser('sign-in', (browser) => {
  const site = useTestConsole();

  test('link works once, opening it does not use it, and the second use is rejected', async () => {
    const { app, url } = site();
    await app.accounts.users.add(
      { login: 'Ada@example.com', accountId: app.accounts.defaultId, role: 'member' },
      by,
    );
    const link = await createSignInLink(app.accounts.sessions, 'ada@example.com', { minutes: 5, by });
    await browser().open(`${url}/sign-in#${link}`);
    const first = await browser().open(`${url}/sign-in#${link}`);
    await first.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await readAxeFindings(first.page)).toEqual([]);
    await keepPicture(first.page, 'sign-in-link');
    await first.page.getByRole('button', { name: 'Sign in' }).click();
    await first.page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    await expect.poll(() => first.page.url()).toBe(`${url}/sign-in/password`);
    expect(first.errors).toEqual([]);
    expect(outsideRequests(first, url)).toEqual([]);

    const second = await browser().open(`${url}/sign-in#${link}`);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await second.page.getByRole('alert').waitFor();
    expect(await second.page.getByRole('alert').textContent()).toContain('sign-in failed');
    expect(await second.page.getByLabel('Password').isVisible()).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';

describeInBrowser('users', (browser) => {
  const site = useTestConsole();

  test('an admin changes a role, creates a link, disables and enables a user, but neither herself nor an operator', async () => {
    const { app } = site();
    const accountId = app.accounts.defaultId;
    const by = { actor: 'test', address: null };
    await app.accounts.users.add({ login: 'max@example.com', role: 'viewer', accountId }, by);
    await app.accounts.users.add({ login: 'op@example.com', role: 'operator', accountId }, by);
    const { page, errors } = await site().open(browser(), '/account/users');
    const dialog = page.getByRole('dialog');
    const row = (login: string) => page.getByRole('row', { name: login });
    expect(await row('op@example.com').getByRole('button').count()).toBe(0);
    expect(await row('(you)').getByRole('button').count()).toBe(0);

    await page.getByRole('button', { name: 'Change role max@example.com' }).click();
    await dialog.getByLabel('admin:').check();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.getByText('max@example.com now has the role admin.').waitFor();
    await page.getByRole('button', { name: 'New link max@example.com' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('This link is shown only once').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Disable max@example.com' }).click();
    await dialog.getByRole('button', { name: 'Disable user' }).click();
    await page.getByRole('button', { name: 'Enable max@example.com' }).click();
    await dialog.getByRole('button', { name: 'Enable user' }).click();
    await page.getByRole('button', { name: 'Disable max@example.com' }).waitFor();
    expect(await app.accounts.users.find('max@example.com')).toMatchObject({
      role: 'admin',
      disabledAt: null,
    });
    await keepPicture(page, 'users');
    expect(await readAxeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('an operator invites the first admin of an account from its page', async () => {
    await site().createAccount('fresh');
    const person = { login: 'olga@example.com', role: 'operator' as const };
    const { page } = await site().open(browser(), '/operator/accounts/fresh', { person });
    await page.getByText('No users yet.').waitFor();
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address or user name').fill('first@example.com');
    await dialog.getByLabel('admin:').check();
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText('This link is shown only once').waitFor();
    expect(await site().app.accounts.users.find('first@example.com')).toMatchObject({
      account: 'fresh',
      role: 'admin',
    });
  });

  test('a user without a password can set one later', async () => {
    const person = { login: 'later@example.com', role: 'member' as const };
    const { page } = await site().open(browser(), '/sign-in', { person });
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();
    await page.getByText('your session ends after 7 days without use').waitFor();
    await page.getByRole('link', { name: 'Not now' }).click();
    await expect.poll(() => page.url()).toBe(`${site().url}/`);
  });
});

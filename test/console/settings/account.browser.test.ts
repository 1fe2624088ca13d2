import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { eachTestConsole, keepPicture, outsideRequests } from '../../support/browser/test-console.ts';

const ended = /status of 401/;

describeInBrowser('account', (browser) => {
  eachTestConsole((site) => {
    test('key is shown once after creation, and regenerating it revokes the old one at once', async () => {
      const opened = await site().open(browser(), '/account/keys');
      const { page, errors } = opened;
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('our CRM');
      await page.getByLabel('manage keys and webhooks').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const first = await page.getByRole('dialog').locator('pre code').innerText();
      expect(first).toMatch(/^ns_live_/);
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.content()).not.toContain(first);
      expect((await site().call('GET', '/v1/credits', { key: first })).status).toBe(200);

      await page.getByRole('button', { name: 'Regenerate our CRM' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.innerText()).toContain('stops working at once');
      await dialog.getByRole('button', { name: 'Regenerate key' }).click();
      const second = await dialog.locator('pre code').innerText();
      expect(second).not.toBe(first);
      expect(await dialog.innerText()).toContain('no longer works');
      expect((await site().call('GET', '/v1/credits', { key: first })).status).toBe(401);
      expect((await site().call('GET', '/v1/credits', { key: second })).status).toBe(200);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      await keepPicture(page, 'account-keys');

      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByText('API key regenerated').waitFor();
      expect(await page.content()).not.toContain(second);
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'account-audit');
      expect(errors).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);
    });

    test('expired session opens a sign-in dialog, and the request continues after it', async () => {
      const person = { login: 'mid@example.com', role: 'admin' as const };
      const { page, errors } = await site().open(browser(), '/account', { person });
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('Confirm new password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Password set.').waitFor();
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('half-way');
      const { userId } = await site().app.accounts.users.find(person.login);
      await site().app.accounts.sessions.endAll(userId, { actor: 'test', address: null });
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Session expired').waitFor();
      await keepPicture(page, 'session-ended');
      await page.getByLabel('Password', { exact: true }).fill('wrong horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('sign-in failed').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This key is shown only once').waitFor();
      const names = (await site().app.accounts.keys.list(site().app.accounts.defaultId)).map(
        ({ name }) => name,
      );
      expect(names.filter((name) => name === 'half-way')).toHaveLength(1);
      // The browser logs responses with status 401.
      expect(errors.filter((error) => !ended.test(error))).toEqual([]);
    });

    test('sign-out everywhere ends the sessions of all browsers', async () => {
      const person = { login: 'out@example.com', role: 'viewer' as const };
      const here = await site().open(browser(), '/account', { person });
      const there = await site().open(browser(), '/account', { person });
      await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
      await here.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await there.page.reload();
      await there.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(here.errors).toEqual([]);
    });
  });
});

import { expect, test } from 'vitest';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { eachTestConsole, keepPicture, outsideRequests } from '../support/browser/test-console.ts';

const ended = /status of 401/;

describeInBrowser('the account', (browser) => {
  eachTestConsole((site) => {
    test('a key is created and shown once; regenerated, the old one is refused at once, and the page says so', async () => {
      const opened = await site().open(browser(), '/account/keys');
      const { page, errors } = opened;
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('What it is for').fill('our CRM');
      await page.getByLabel('manage keys and webhooks').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click();
      const first = await page.getByRole('dialog').locator('pre code').innerText();
      expect(first).toMatch(/^ns_live_/);
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'I have kept it' }).click();
      expect(await page.content()).not.toContain(first);
      expect((await site().call('GET', '/v1/credits', { key: first })).status).toBe(200);

      await page.getByRole('button', { name: 'Regenerate our CRM' }).click();
      const asked = page.getByRole('dialog');
      expect(await asked.innerText()).toContain('stops working at once');
      await asked.getByRole('button', { name: 'Regenerate the key' }).click();
      const second = await asked.locator('pre code').innerText();
      expect(second).not.toBe(first);
      expect(await asked.innerText()).toContain('has stopped working');
      expect((await site().call('GET', '/v1/credits', { key: first })).status).toBe(401);
      expect((await site().call('GET', '/v1/credits', { key: second })).status).toBe(200);
      await page.getByRole('button', { name: 'I have kept it' }).click();
      await page.getByText('revoked').waitFor();
      await keepPicture(page, 'account-keys');

      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByText('API key regenerated').waitFor();
      expect(await page.content()).not.toContain(second);
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'account-audit');
      expect(errors).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);
    });

    test('a session that ends in the middle of something asks to sign in, and then goes on with it', async () => {
      const person = { login: 'mid@example.com', role: 'admin' as const };
      const { page, errors } = await site().open(browser(), '/account', { person });
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('New password again').fill('correct horse battery');
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('Your password is set').waitFor();
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('What it is for').fill('half-way');
      const { userId } = await site().app.accounts.users.find(person.login);
      await site().app.accounts.sessions.endAll(userId, { actor: 'test', address: null });
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByText('Your session has ended').waitFor();
      await keepPicture(page, 'session-ended');
      await page.getByLabel('Password', { exact: true }).fill('wrong horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('does not sign anybody in').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('It is shown this once').waitFor();
      const names = (await site().app.accounts.keys.list(site().app.accounts.defaultId)).map(
        ({ name }) => name,
      );
      expect(names.filter((name) => name === 'half-way')).toHaveLength(1);
      // The browser itself says on the console that a request was answered 401.
      expect(errors.filter((error) => !ended.test(error))).toEqual([]);
    });

    test('signing out everywhere ends the sessions of all browsers', async () => {
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

import { expect, onTestFinished, test } from 'vitest';
import { openApp, type App } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { startJourney } from '../../support/browser/journey.ts';
import { serveAt } from '../../support/browser/serve-at.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';
import { createRivals } from '../../support/stand-in/rival-ads.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const operator = { login: 'olga@example.com', role: 'operator' as const };

describeInBrowser('journey of a colleague', (browser) => {
  const site = useTestConsole();

  test('an admin invites a colleague, who opens the link, sets a password and sees the batches', async () => {
    const key = await site().createKey();
    const batch = await uploadBatch(site(), key, 'website\nnike.com\n');
    await waitForState(site(), key, batch, 'finished');

    const journey = startJourney(browser(), 'Invite a colleague');
    const jane = await journey.begin(site());
    await jane.getByRole('link', { name: 'Settings' }).click();
    await jane.getByRole('link', { name: 'Users', exact: true }).click();
    await jane.getByRole('button', { name: 'Invite user' }).click();
    const dialog = jane.getByRole('dialog');
    expect(await dialog.getByRole('radio').count()).toBe(3);
    expect(await readAxeFindings(jane)).toEqual([]);
    await keepPicture(jane, 'invite-user');
    await dialog.getByLabel('E-mail address or user name').fill('carl@example.com');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText('This link is shown only once').waitFor();
    const link = await dialog.locator('pre code').innerText();
    expect(await readAxeFindings(jane)).toEqual([]);
    await keepPicture(jane, 'invitation-link');
    await jane.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy Sign-in link' }).click();
    await jane.getByText('Sign-in link copied.').waitFor();
    expect(await jane.evaluate('navigator.clipboard.readText()')).toBe(link);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await jane.getByText('Invited', { exact: true }).waitFor();
    expect(await jane.content()).not.toContain(link.split('#')[1]);

    const carl = await journey.openLink(link);
    await carl.getByRole('button', { name: 'Sign in' }).click();
    await carl.getByRole('heading', { name: 'Set a password' }).waitFor();
    expect(carl.url()).toBe(`${site().url}/sign-in/password`);
    expect(await readAxeFindings(carl)).toEqual([]);
    await keepPicture(carl, 'first-password');
    await carl.getByLabel('New password', { exact: true }).fill('correct horse battery');
    await carl.getByLabel('Confirm new password').fill('correct horse battery');
    await carl.getByRole('button', { name: 'Set password' }).click();
    await carl.getByText('Password set.').waitFor();
    await carl.locator(`a[href^="/batches/${batch}"]`).first().waitFor();
    await journey.end();

    const again = await browser().open(`${site().url}/sign-in`);
    await again.page.getByLabel('E-mail address or user name').fill('carl@example.com');
    await again.page.getByLabel('Password').fill('correct horse battery');
    await again.page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => again.page.url()).toBe(`${site().url}/`);
  });
});

describeInBrowser('journey of a source', (browser) => {
  const site = useTestConsole({ settings: { NIGHTSHIFT_SOURCES: '' } });

  test('an operator reads what a source lacks, restarts with its settings, and tests it', async () => {
    const standIn = await openSourceStandIn({ ads: (company) => generateAds(company, 2) });
    onTestFinished(() => standIn.close());
    const before = await serveAt(site().app, 0);
    const journey = startJourney(browser(), 'Set up a source');
    const page = await journey.begin({ ...site(), url: before.url }, operator);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByText('Settings are environment variables: set them, then restart').waitFor();
    const upstream = page.getByRole('row').filter({ hasText: 'upstream' });
    await upstream.getByText('Not set up').waitFor();
    expect(await upstream.innerText()).toContain('NIGHTSHIFT_UPSTREAM_URL');
    expect(await upstream.getByRole('button').count()).toBe(0);

    // The operator restarts the server, and leaves the page open.
    await before.close();
    await page.getByRole('status').getByText('Connection lost. Trying again …').waitFor();
    await serveAt(await openWith(site().app, standIn), Number(new URL(before.url).port));
    await upstream.getByText('Ready, default').waitFor();
    await upstream.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Company website').fill('acme.com');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('The source answers as recorded').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await upstream.locator('[data-label="Last test"]').getByText('found').waitFor();
    expect(standIn.log).toHaveLength(1);
    await journey.end(/net::ERR_|status of 503/);
  });
});

describeInBrowser('journey of credits', (browser) => {
  const site = useTestConsole({ ads: createRivals().ads });

  test('an operator grants credits, the waiting batch finishes, and its user sees what they went on', async () => {
    await site().createAccount('acme');
    const key = await site().createKey({ account: 'acme' });
    const list = 'website\nacme.com\nglobex.com\nnobody-one.com\nnobody-two.com\n';
    const batch = await uploadBatch(site(), key, list);
    await waitForState(site(), key, batch, 'waiting_for_credits');

    const journey = startJourney(browser(), 'Top up credits, and see what they went on');
    const olga = await journey.begin(site(), operator);
    await olga.getByRole('link', { name: 'Settings', exact: true }).click();
    await olga.getByRole('link', { name: 'Accounts', exact: true }).click();
    await olga.getByRole('link', { name: 'acme', exact: true }).click();
    await olga.getByLabel('Credits').fill('10');
    await olga.getByLabel('Reason').fill('order 4711');
    await olga.getByRole('button', { name: 'Grant credits …' }).click();
    await olga.getByRole('dialog').getByRole('button', { name: 'Grant credits' }).click();
    await olga.getByText('Granted 10 credits to “acme”.').waitFor();
    await waitForState(site(), key, batch, 'finished');

    const ann = await journey.begin(site(), { login: 'ann@example.com', role: 'member', account: 'acme' });
    await ann.getByRole('link', { name: '9.6 credits' }).click();
    const available = ann.locator('.figures > div', { hasText: 'Available' }).locator('dd').first();
    expect(await available.innerText()).toBe('9.6');
    await ann.getByRole('button', { name: 'By batch' }).click();
    await ann.getByRole('columnheader', { name: 'Batch' }).waitFor();
    const rows = ann.locator('tbody tr');
    expect(await rows.locator('td').allInnerTexts()).toEqual(['4', '2', '0.4', '2', '2 without ads']);
    expect(await rows.getByRole('link').getAttribute('href')).toBe(`/batches/${batch}`);
    await ann.getByRole('button', { name: 'Ledger' }).click();
    await ann.getByText('Granted: order 4711').waitFor();
    const charged = await rows.filter({ hasText: 'Charged' }).allInnerTexts();
    expect(charged.map((text) => /\w+\.com/.exec(text)?.[0]).toSorted()).toEqual(['acme.com', 'globex.com']);
    await journey.end();
  });
});

/** Opens the app again with the settings of a live source, as a restart with further environment variables does. */
async function openWith(app: App, { url, key }: SourceStandIn): Promise<App> {
  const { sources, access } = readConfig({
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: url,
    NIGHTSHIFT_UPSTREAM_KEY: key,
  });
  const opened = await openApp(
    { ...app.config, sources, access },
    { log: app.log, onProgress: () => undefined },
  );
  onTestFinished(() => opened.close());
  return opened;
}

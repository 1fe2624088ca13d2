import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { waitForState, uploadBatch } from '../../support/api/uploaded-batch.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { setVisibility } from '../../support/browser/set-visibility.ts';
import { eachTestConsole, useTestConsole } from '../../support/browser/test-console.ts';
import { createRivals } from '../../support/stand-in/rival-ads.ts';

const by = { actor: 'test', address: null };

describeInBrowser('pages', (browser) => {
  eachTestConsole(
    (site) => {
      test('show a batch that begins, runs and ends, without losing a selection, a dialog or typed text', async () => {
        const key = await site().createKey();
        const { page, errors } = await site().open(browser(), '/batches');
        const { page: home } = await site().open(browser(), '/');
        await page.getByText('No batches yet').waitFor();
        await home.getByRole('heading', { name: 'Today' }).waitFor();
        const id = await uploadBatch(site(), key, 'website\nacme.com\nglobex.com\n');
        const row = page.getByRole('row', { name: new RegExp('Running') });
        await row.waitFor();
        await home.getByText('No batch has finished yet.').waitFor();

        await page.getByRole('searchbox').fill('half typed');
        await page.getByRole('checkbox', { name: 'Select row 1' }).check();
        await page.getByRole('button', { name: 'Add tags …' }).click();
        await page.getByRole('dialog').getByLabel('Tags').fill('rivals');
        const workers = await runWorkers(site().app);
        onTestFinished(() => workers.close());
        await page.locator('tbody').getByText('Finished').waitFor();
        await home.getByText('2 companies with ads').waitFor();
        expect(await page.getByRole('dialog').getByLabel('Tags').inputValue()).toBe('rivals');
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        expect(await page.getByRole('checkbox', { name: 'Select row 1' }).isChecked()).toBe(true);
        expect(await page.getByRole('searchbox').inputValue()).toBe('half typed');
        await waitForState(site(), key, id, 'finished');
        expect(errors).toEqual([]);
      });
    },
    { workers: false, ads: createRivals().ads },
  );
});

describeInBrowser('live pages', (browser) => {
  const rivals = createRivals();
  const site = useTestConsole({ ads: rivals.ads, settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1:65000' } });

  test('show credits, targets, pauses of sources, schedules and changes when they come', async () => {
    const key = await site().createKey({ scopes });
    const post = async (path: string, json: object) => {
      const answer = await site().call('POST', path, { key, json });
      expect(answer.status, answer.text).toBeLessThan(300);
      return (answer.json() as { readonly id: string }).id;
    };
    const open = async (path: string): Promise<Page> => (await site().open(browser(), path)).page;
    const credits = await open('/credits');
    const targets = await open('/account/notifications');
    const sources = await open('/sources');
    const schedules = await open('/schedules');
    const changes = await open('/changes?view=days');
    await targets.getByText('No notifications yet').waitFor();
    await schedules.getByText('No schedules yet').waitFor();
    await changes.getByText('No changes yet').waitFor();
    await sources.getByText('Ready, default').waitFor();

    const { accounts, credits: services } = site().app;
    await services.ledger.grant(accounts.defaultId, [
      { key: null, amountMicro: 1_234_000_000n, reason: 'test' },
    ]);
    const { balanceMicro } = await site().balance();
    const balance = new Intl.NumberFormat('en-GB').format(Number(balanceMicro) / 1e6);
    await credits.locator('.figures').getByText(balance).first().waitFor();
    await credits.getByRole('link', { name: `${balance} credits` }).waitFor();

    await post('/v1/webhooks', { name: 'to a program', url: 'http://127.0.0.1:65000/' });
    await targets.getByRole('link', { name: 'to a program' }).waitFor();

    await site().database.owner.pool.query(
      `INSERT INTO nightshift.source_states (bucket, source, paused_until, pause_reason, pause_kind)
        VALUES ('another', 'upstream', now() + interval '1 hour', 'It answers 503.', 'failing')
        ON CONFLICT (bucket) DO NOTHING`,
    );
    await sources.getByText('It answers 503.').waitFor();
    await site().database.owner.pool.query(`DELETE FROM nightshift.source_states WHERE bucket = 'another'`);
    await sources.getByText('It answers 503.').waitFor({ state: 'detached' });

    const schedule = await post('/v1/schedules', {
      name: 'rivals',
      cron: '0 2 * * *',
      rows: [{ company_domain: 'acme.com' }],
    });
    await schedules.getByRole('link', { name: 'rivals' }).waitFor();
    const scans = await open(`/schedules/${schedule}`);
    await scans.getByText('No scans yet').waitFor();
    await post(`/v1/schedules/${schedule}/run`, {});
    await scans.getByText('Finished', { exact: true }).waitFor();
    await schedules.getByText('Finished', { exact: true }).waitFor();
    await changes.getByRole('cell', { name: 'rivals' }).waitFor();
    rivals.sleep();
    await post(`/v1/schedules/${schedule}/run`, {});
    await scans.getByRole('link', { name: /1 new/ }).waitFor();
    await changes.getByRole('row', { name: /rivals 1/ }).waitFor();
  });

  test('of a hidden tab have no stream, and are right when it is visible again', async () => {
    const key = await site().createKey();
    const { page, requests, errors } = await site().open(browser(), '/batches');
    await page.getByRole('columnheader').or(page.getByText('No batches yet')).first().waitFor();
    const streams = () => requests.filter((url) => url.endsWith('/v1/events')).length;
    await expect.poll(streams).toBe(1);
    const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/events'));
    await setVisibility(page, 'hidden');
    await closed;
    const before = requests.length;
    const body = 'website\nglobex.com\n';
    const answer = await site().call('POST', '/v1/batches?file_name=unseen.csv', {
      key,
      headers: { 'Content-Type': 'text/csv' },
      body,
    });
    await waitForState(site(), key, (answer.json() as { readonly id: string }).id, 'finished');
    expect([requests.length, streams()]).toEqual([before, 1]);
    await setVisibility(page, 'visible');
    await page.getByRole('link', { name: 'unseen.csv' }).waitFor();
    expect(streams()).toBe(2);
    expect(errors).toEqual([]);
  });

  test('ask for a sign-in when the session ends, without a click, and call no connection lost', async () => {
    const person = { login: 'eve@example.com', role: 'member' as const };
    const { page } = await site().open(browser(), '/batches', { person });
    const { userId } = await site().app.accounts.users.find(person.login);
    await site().app.accounts.sessions.endAll(userId, by);
    await page.getByRole('dialog').getByText('Session expired').waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
  });
});

import { expect, onTestFinished, test } from 'vitest';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { startJourney } from '../../support/browser/journey.ts';
import { serveAt } from '../../support/browser/serve-at.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';

describeInBrowser('journey of a question', (browser) => {
  const site = useTestConsole();

  test('an example query answers a question with the rows of the account', async () => {
    const key = await site().createKey();
    const list = 'website\nnike.com\nnobody-two.com\nnobody-one.com\n';
    const batch = await uploadBatch(site(), key, list);
    await waitForState(site(), key, batch, 'finished');
    const read = await site().call('GET', `/v1/batches/${batch}`, { key });
    const { name } = read.json() as { readonly name: string };

    const journey = startJourney(browser(), 'Answer a question in SQL');
    const page = await journey.begin(site());
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.locator('summary', { hasText: /^Examples$/ }).click();
    await page.getByRole('button', { name: 'Which companies were not identified?' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result rows' });
    await result.waitFor();
    expect(await result.locator('thead th').allInnerTexts()).toEqual([
      'company_domain',
      'company_name',
      'batch',
    ]);
    expect(await result.locator('tbody tr').allInnerTexts()).toEqual([
      `nobody-one.com\tnull\t${name}`,
      `nobody-two.com\tnull\t${name}`,
    ]);
    await journey.end();
  });
});

describeInBrowser('journey of an unavailable server', (browser) => {
  const site = useTestConsole({ workers: false });

  test('a page shows that the server is away, and continues by itself when it is back', async () => {
    const before = await serveAt(site().app, 0);
    const key = await site().createKey();
    const batch = await uploadBatch(site(), key, 'website\nnike.com\nnobody-one.com\n');

    const journey = startJourney(browser(), 'Recover after the server was away');
    const page = await journey.begin({ ...site(), url: before.url });
    await page.getByRole('link', { name: 'Running: 0%' }).click();
    await page.getByText('measuring …').first().waitFor();
    await before.close();
    const lost = page.getByText('Connection lost. Trying again …');
    await lost.waitFor();
    await page.getByText(/^Data from \d\d:\d\d$/).waitFor();

    await serveAt(site().app, Number(new URL(before.url).port));
    const workers = await runWorkers(site().app);
    onTestFinished(() => workers.close());
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await expect
      .poll(() => page.getByRole('progressbar').getAttribute('aria-valuetext'))
      .toBe('2 of 2 lookups');
    await lost.waitFor({ state: 'detached' });
    expect(await page.getByText(/The server cannot be reached|Data from/).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/batches/${batch}`);
    await journey.end(/net::ERR_|status of 503/);
  });
});

import { expect, onTestFinished, test } from 'vitest';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { serveAt } from '../../support/browser/serve-at.ts';
import { keepPicture, signedIn, useTestConsole } from '../../support/browser/test-console.ts';

const lost = 'Connection lost. Trying again …';

describeInBrowser('page of an unavailable server', (browser) => {
  const site = useTestConsole({ workers: false });

  test('shows that the connection is lost, with the time of its data, and reconnects automatically', async () => {
    const first = await serveAt(site().app, 0);
    const { url } = first;
    const json = { rows: [{ company_domain: 'nike.com' }, { company_domain: 'nobody.com' }] };
    const made = await site().call('POST', '/v1/batches', { key: await site().createKey(), json });
    const { id } = made.json() as { id: string };
    const visitor = signedIn(url, await site().beginSession());
    const { page: batch } = await browser().open(`${url}/batches/${id}`, visitor);
    const { page: batches } = await browser().open(`${url}/batches`, visitor);
    await batch.getByText('measuring …').first().waitFor();
    await batches.getByText('rows.json').waitFor();

    await first.close();
    for (const page of [batch, batches]) await page.getByRole('status').getByText(lost).waitFor();
    await batch.getByText(/^Data from \d\d:\d\d$/).waitFor();
    await batch.getByText(/^Running as of \d\d:\d\d,/).waitFor();
    expect(await batch.getByText('Time left').count()).toBe(0);
    expect(await readAxeFindings(batch)).toEqual([]);
    await keepPicture(batch, 'batch-server-away');
    await batches.getByRole('link', { name: 'Watch' }).click();
    await batches.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
    await batches.getByText('This loads by itself once the connection is back.').waitFor();
    expect(await readAxeFindings(batches)).toEqual([]);
    await keepPicture(batches, 'schedules-server-away');
    // No page reports the same again and again.
    for (const page of [batch, batches]) {
      expect(await page.getByText(lost).count()).toBe(1);
      expect(await page.getByRole('alert').count()).toBe(0);
    }

    await serveAt(site().app, Number(new URL(url).port));
    const workers = await runWorkers(site().app);
    onTestFinished(() => workers.close());
    await batch.getByText('Finished', { exact: true }).first().waitFor();
    await batches.getByText('No schedules yet').waitFor();
    for (const page of [batch, batches]) {
      await page.getByText(lost).waitFor({ state: 'detached' });
      expect(await page.getByText(/The server cannot be reached|Data from/).count()).toBe(0);
    }
  });
});

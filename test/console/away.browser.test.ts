import { expect, onTestFinished, test } from 'vitest';
import { startApi, type RunningApi } from '../../src/api/start-api.ts';
import { runWorkers } from '../../src/cli/process/run-workers.ts';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { keepPicture, signedIn, useTestConsole } from '../support/browser/test-console.ts';

describeInBrowser('a page whose server ends', (browser) => {
  const site = useTestConsole({ workers: false });

  test('says so and as of when its figures are, and comes back by itself, wherever one was', async () => {
    const first = await serveAt(0);
    const { url } = first;
    const json = { rows: [{ company_domain: 'nike.com' }, { company_domain: 'nobody.com' }] };
    const made = await site().call('POST', '/v1/batches', { key: await site().createKey(), json });
    const { id } = made.json() as { id: string };
    const visitor = signedIn(url, await site().beginSession());
    const { page: batch } = await browser().open(`${url}/batches/${id}`, visitor);
    const { page: lists } = await browser().open(`${url}/lists`, visitor);
    await batch.getByText('measuring …').first().waitFor();
    await lists.getByText('rows.json').waitFor();

    await first.close();
    await batch.getByText('The server cannot be reached').waitFor();
    await batch.getByText(/What is shown is as of \d\d:\d\d\./).waitFor();
    await batch.getByText(/^Running as of \d\d:\d\d,/).waitFor();
    expect(await batch.getByText('Time left').count()).toBe(0);
    expect(await readAxeFindings(batch)).toEqual([]);
    await keepPicture(batch, 'batch-server-away');
    await lists.getByRole('link', { name: 'Schedules' }).click();
    await lists.getByText('The server cannot be reached').waitFor();

    await serveAt(Number(new URL(url).port));
    const workers = await runWorkers(site().app);
    onTestFinished(() => workers.close());
    await batch.getByText('Finished', { exact: true }).first().waitFor();
    await lists.getByText('There is no schedule yet').waitFor();
    for (const page of [batch, lists])
      expect(await page.getByText('The server cannot be reached').count()).toBe(0);
  });

  /** One more server of the same service; 0: at any port. */
  async function serveAt(port: number): Promise<RunningApi> {
    const { app } = site();
    const api = await startApi({ ...app, config: { ...app.config, api: { ...app.config.api, port } } });
    onTestFinished(() => api.close());
    return api;
  }
});

import { expect, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { eachTestConsole, keepPicture } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { createRivals } from '../../support/stand-in/rival-ads.ts';

describeInBrowser('credits', (browser) => {
  eachTestConsole(
    (site) => {
      test('page groups usage by day, batch and operation, with the reasons of free lookups, and has the ledger', async () => {
        const key = await site().createKey();
        const list = 'website\nacme.com\nglobex.com\nnobody-one.com\nnobody-two.com\n';
        await waitForState(site(), key, await uploadBatch(site(), key, list), 'finished');
        const { balanceMicro } = await site().balance();
        const { page, errors } = await site().open(browser(), '/credits');
        const body = page.locator('tbody tr');
        await body.first().waitFor();
        expect((await body.first().locator('td').allInnerTexts()).join('|')).toBe('4|2|0.4|2|2 without ads');
        const spent = page.locator('.figures > div', { hasText: 'Available' }).locator('dd').first();
        expect(await spent.innerText()).toBe(
          new Intl.NumberFormat('en-GB').format(Number(balanceMicro) / 1e6),
        );

        await page.getByRole('button', { name: 'By batch' }).click();
        await page.getByRole('columnheader', { name: 'Batch' }).waitFor();
        expect(await body.first().locator('td').allInnerTexts()).toEqual([
          '4',
          '2',
          '0.4',
          '2',
          '2 without ads',
        ]);
        await page.getByRole('button', { name: 'By operation' }).click();
        await page.getByText('Ads search').waitFor();

        await page.getByRole('button', { name: 'Ledger' }).click();
        await page.getByText('Released: without ads').first().waitFor();
        const entries = await body.allInnerTexts();
        expect(entries.filter((entry) => entry.includes('Charged'))).toHaveLength(2);
        expect(entries.filter((entry) => entry.includes('Released: without ads'))).toHaveLength(2);
        expect(entries.filter((entry) => entry.includes('nobody-one.com'))).not.toEqual([]);
        await keepPicture(page, 'credits-ledger');
        // The URL keeps the view.
        await page.reload();
        await page.getByText('Released: without ads').first().waitFor();
        await page.goBack();
        await page.getByText('Ads search').waitFor();
        expect(errors).toEqual([]);
      });
    },
    { ads: createRivals().ads },
  );
});

import { expect, test } from 'vitest';
import { describeInBrowser } from '../support/browser/browser.ts';
import { eachTestConsole, keepPicture } from '../support/browser/test-console.ts';
import { handIn, reaches } from '../support/api/uploaded-batch.ts';
import { createRivals } from '../support/stand-in/rival-ads.ts';

describeInBrowser('credits', (browser) => {
  eachTestConsole(
    (site) => {
      test('are told by day, list, operation and entry, and what was free with its reason', async () => {
        const key = await site().createKey();
        const list = 'website\nacme.com\nglobex.com\nnobody-one.com\nnobody-two.com\n';
        await reaches(site(), key, await handIn(site(), key, list), 'finished');
        const { balanceMicro } = await site().balance();
        const { page, errors } = await site().open(browser(), '/credits');
        const body = page.locator('tbody tr');
        await body.first().waitFor();
        expect((await body.first().locator('td').allInnerTexts()).join('|')).toBe('4|2|0.4|2|2 no ads found');
        const spent = page.locator('.figures > div', { hasText: 'Can be spent' }).locator('dd').first();
        expect(await spent.innerText()).toBe(
          new Intl.NumberFormat('en-GB').format(Number(balanceMicro) / 1e6),
        );

        await page.getByRole('button', { name: 'By list' }).click();
        await page.getByRole('columnheader', { name: 'List' }).waitFor();
        expect(await body.first().locator('td').allInnerTexts()).toEqual([
          '4',
          '2',
          '0.4',
          '2',
          '2 no ads found',
        ]);
        await page.getByRole('button', { name: 'By operation' }).click();
        await page.getByText('Ads search').waitFor();

        await page.getByRole('button', { name: 'The ledger' }).click();
        await page.getByText('Given back, free: no ads found').first().waitFor();
        const entries = await body.allInnerTexts();
        expect(entries.filter((entry) => entry.includes('Charged'))).toHaveLength(2);
        expect(entries.filter((entry) => entry.includes('free: no ads found'))).toHaveLength(2);
        expect(entries.filter((entry) => entry.includes('nobody-one.com'))).not.toEqual([]);
        await keepPicture(page, 'credits-ledger');
        // The address says which of them.
        await page.reload();
        await page.getByText('Given back, free: no ads found').first().waitFor();
        await page.goBack();
        await page.getByText('Ads search').waitFor();
        expect(errors).toEqual([]);
      });
    },
    { ads: createRivals().ads },
  );
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedLines, uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { pasteText, startJourney } from '../../support/browser/journey.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { readXlsx } from '../../support/reports/read-xlsx.ts';

/** Companies of a list: three of them have ads in the sample. */
const leads = [
  ['Account', 'Site', 'Owner'],
  ['Nike', 'nike.com', 'Dana'],
  ['Nobody One', 'nobody-one.com', 'Eve'],
  ['Airbnb', 'airbnb.com', 'Finn'],
  ['Nobody Two', 'nobody-two.com', 'Gus'],
  ['Spotify', 'spotify.com', 'Hana'],
];

/** Eight companies that the sample does not identify; of five of them it has advertisers that share a word. */
const unidentified = [
  'Swoosh Spotify Fans',
  'Lego Store Berlin',
  'Nike Shoes Outlet',
  'IKEA Food Services Partner',
  'Ford Autohaus Maier',
  'Nowhere at all',
  'Quux Industries',
  'Wibble Wobble',
];

describeInBrowser('journeys of batches', (browser) => {
  const site = useTestConsole();

  test('a CSV file becomes an Excel file of the companies with ads', async () => {
    const journey = startJourney(browser(), 'Turn a CSV file into a filtered Excel file');
    const page = await journey.begin(site());
    await page.getByRole('link', { name: 'New batch' }).click();
    const text = leads.map((cells) => `${cells.join(',')}\n`).join('');
    await journey.chooseFile(page.locator('label', { hasText: 'Choose a file' }), 'leads.csv', text);
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'With ads', exact: true }).click();
    const rows = page.getByRole('region', { name: 'Rows of the batch' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel('File format').selectOption({ label: 'Excel' });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download results' }).click();
    const { names, lines } = readXlsx(readFileSync(await (await download).path()));
    expect(names.slice(0, 4)).toEqual([...(leads[0] ?? []), 'ads_outcome']);
    expect(lines.map((line) => line.slice(0, 4))).toEqual(
      leads.filter((_, i) => i % 2 === 1).map((cells) => [...cells, 'found']),
    );
    await journey.end();
  });

  test('rows that were copied in a spreadsheet become a batch', async () => {
    const journey = startJourney(browser(), 'Paste rows from a spreadsheet');
    const page = await journey.begin(site());
    await page.getByRole('link', { name: 'New batch' }).click();
    await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
    const rows =
      'Company\tSite\tNote\r\nNike\tnike.com\t"two\r\nlines, ""quoted"""\r\nAirbnb\tairbnb.com\t\r\n';
    await pasteText(page, rows);
    await page.getByText('Pasted rows, 3 columns.').waitFor();
    expect(await page.getByLabel('Company website').inputValue()).toBe('Site');
    expect(await page.getByLabel('Company name').inputValue()).toBe('Company');
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByRole('heading', { name: /Pasted rows/ }).waitFor();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await exportedLines(site(), await site().createKey(), id)).toMatchObject([
      { Company: 'Nike', Site: 'nike.com', Note: 'two\r\nlines, "quoted"', ads_outcome: 'found' },
      { Company: 'Airbnb', Site: 'airbnb.com', Note: '', ads_outcome: 'found' },
    ]);
    await journey.end();
  });
});

describeInBrowser('journey of companies that were not identified', (browser) => {
  const site = useTestConsole();

  test('eight companies are mapped on the page that the batch leads to, and looked up again for the cost shown', async () => {
    const { app } = site();
    await app.credits.ledger.grant(app.accounts.defaultId, [
      { key: null, amountMicro: 10_000_000n, reason: 'test' },
    ]);
    const key = await site().createKey();
    const rows = unidentified.map((name, i) => `${name},Owner ${i + 1}`);
    const id = await uploadBatch(site(), key, `company,owner\nSpotify AB,Dana\n${rows.join('\n')}\n`);
    await waitForState(site(), key, id, 'finished');
    const sample = await site().database.owner.pool.query<{ advertiser_id: string }>(
      "SELECT advertiser_id FROM nightshift.advertisers WHERE disclosed_name = 'Ferrari S.p.A.'",
    );
    const ferrari = sample.rows[0]?.advertiser_id ?? '';

    const journey = startJourney(browser(), 'Map eight companies');
    const page = await journey.begin(site());
    await page.getByRole('link', { name: /8 companies not identified/ }).click();
    const list = page.getByRole('list', { name: 'Companies not identified' });
    await list.getByRole('heading', { name: 'Wibble Wobble' }).waitFor();
    expect((await list.locator('h3').allTextContents()).toSorted()).toEqual(unidentified.toSorted());
    await page.getByText('8 companies not identified').first().waitFor();
    const card = (name: string) =>
      list.locator('> li').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const text = await card('Swoosh Spotify Fans').textContent();
    for (const part of ['Spotify AB', 'Spotify Ltd', 'owner: Owner 1', 'Line 3', 'likely own'])
      expect(text).toContain(part);
    expect(await page.getByRole('button', { name: /^Look up/ }).isDisabled()).toBe(true);
    await expectAccessible(page, 'unidentified');

    for (const name of unidentified.slice(0, 5)) {
      const candidates = card(name).getByRole('list', { name: /^Candidates for/ });
      await candidates.locator('> li').first().getByRole('button', { name: 'Map', exact: true }).click();
      await card(name).getByText('Mapped', { exact: true }).waitFor();
    }
    const input = (name: string) => card(name).getByLabel('Advertiser id or page address');
    await input('Nowhere at all').fill('https://example.com/advertiser');
    await input('Nowhere at all').press('Enter');
    await card('Nowhere at all').getByText('is not the page of an advertiser').waitFor();
    await expectAccessible(page, 'unidentified-rejected');
    for (const name of unidentified.slice(5)) {
      await input(name).fill(`https://adstransparency.google.com/advertiser/${ferrari}?region=DE`);
      await card(name)
        .getByRole('button', { name: `Map ${name}` })
        .click();
      await card(name).getByText('Mapped', { exact: true }).waitFor();
    }
    await page.getByText('0 open, 8 mapped, 0 denied').waitFor();
    await expectAccessible(page, 'unidentified-mapped');
    await page.getByRole('button', { name: 'Look up 8 companies again (up to 1.6 credits)' }).click();
    await page.waitForURL(`**/batches/${id}`);
    await waitForState(site(), key, id, 'finished');
    const batch = (await site().call('GET', `/v1/batches/${id}`, { key })).json();
    expect(batch).toMatchObject({ lookups: { total: 9, found: 9, no_match: 0, failed: 0 } });
    await journey.end(/status of 400/);

    await page.goto(`${site().url}/batches/${id}/unidentified`);
    await page.getByText('Every company of this batch was identified').waitFor();
    await expectAccessible(page, 'unidentified-empty');
    expect(await site().findings()).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';

describeInBrowser('names and tags', (browser) => {
  const site = useTestConsole();

  test('are changed on the page of a batch, and filter the list', async () => {
    const key = await site().createKey();
    for (const file_name of ['rivals.csv', 'leads.csv', 'old.csv']) {
      const json = { rows: [{ company_domain: 'nike.com' }], file_name };
      expect((await site().call('POST', '/v1/batches', { key, json })).status).toBe(201);
    }
    const { page, errors } = await site().open(browser(), '/batches');
    await page.getByRole('link', { name: 'rivals.csv' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Name and tags …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Rivals in spring');
    await dialog.getByLabel('Tags').fill('dach, sport');
    expect(await readAxeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Rivals in spring' }).waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'batch-labels');

    await page.getByRole('link', { name: 'sport', exact: true }).click();
    await page.getByText('1 batch', { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Tag').inputValue()).toBe('sport');
    await page.getByLabel('Tag').selectOption('');
    await page.getByText('3 batches', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('leads');
    await page.getByLabel('Search').press('Enter');
    await page.getByText('1 batch', { exact: true }).waitFor();
    await page.getByLabel('Origin').selectOption('upload');
    await page.getByText('No batches match.').waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('and the archive, for selected batches', async () => {
    const { page, errors } = await site().open(browser(), '/batches');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    for (const name of ['leads.csv', 'old.csv']) await row(name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Add tags …' }).click();
    await page.getByRole('dialog').getByLabel('Tags').fill('2026');
    await page.getByRole('dialog').getByRole('button', { name: 'Add tags' }).click();
    await page.getByText('2 batches tagged.').waitFor();
    await row('old.csv').getByRole('link', { name: '2026' }).waitFor();

    await row('old.csv').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('1 batch archived.').waitFor();
    await expect.poll(() => row('old.csv').count()).toBe(0);
    await page.getByLabel('Show').selectOption({ label: 'Archived batches (1)' });
    await row('old.csv').getByRole('checkbox').check();
    await keepPicture(page, 'batches-archived');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('No batches match.').waitFor();
    await page.getByLabel('Show').selectOption('');
    await row('old.csv').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete …' }).click();
    expect(await readAxeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('1 batch deleted.').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    expect(errors).toEqual([]);
  });
});

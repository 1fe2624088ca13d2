import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-console-inboxes-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeInBrowser('inbox', (browser) => {
  const site = useTestConsole({ settings: { NIGHTSHIFT_FOLDERS: root } });

  test('of a folder is added with the columns of an example, loads files, and is paused, edited and removed', async () => {
    const folder = join(root, 'leads');
    mkdirSync(folder);
    const { page, errors } = await site().open(browser(), '/batches');
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: 'Inboxes' }).click();
    await page.getByText('No inboxes yet').waitFor();
    await expectAccessible(page, 'inboxes-empty');
    await page.getByRole('link', { name: 'New inbox' }).first().click();
    await page.getByRole('heading', { name: 'New inbox' }).waitFor();
    await page.getByLabel('Address').fill('/etc');
    await page.getByLabel('Name', { exact: true }).fill('leads');
    await page.getByRole('button', { name: 'Add inbox' }).click();
    const address = page.getByLabel('Address');
    await page.getByText('This folder cannot be used.').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.locator('input[aria-invalid]:focus').count()).toBe(1);
    await address.fill(folder);
    await page.getByLabel('File names').fill('*.csv');
    await page.getByLabel('After its batch was created').selectOption('Move the file to done/');
    await page.getByLabel('Complete after').fill('0');
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'example.csv', mimeType: 'text/csv' },
      buffer: Buffer.from('Account;Homepage;Owner\nNike;nike.com;Ann\n'),
    });
    await page.getByText('example.csv: CSV').waitFor();
    expect(await page.getByLabel('Company website').inputValue()).toBe('Homepage');
    await page.getByText('Next looks:').waitFor();
    await page.getByLabel('Per file').fill('3');
    await page.getByText('Search options and repeated files').click();
    await expectAccessible(page, 'inbox-new');
    await page.getByRole('button', { name: 'Add inbox' }).click();

    await page.getByRole('heading', { name: 'leads', level: 1 }).waitFor();
    const terms = await page.locator('.terms').innerText();
    for (const text of [folder, '*.csv', 'Company website: Homepage', 'up to 3 credits'])
      expect(terms).toContain(text);
    await page.getByText('No files yet').waitFor();
    writeFileSync(join(folder, 'good.csv'), 'Account;Homepage;Owner\nNike;nike.com;Ann\n');
    writeFileSync(join(folder, 'bad.csv'), 'colour;size\nred;1\n');
    await page.getByRole('button', { name: 'Look now' }).click();
    const files = page.getByRole('region', { name: 'Files of the inbox, newest first' });
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click();
          return page.getByText('1 loaded, 1 failed').count();
        },
        { timeout: waitMsMax, interval: 300 },
      )
      .toBe(1);
    await expectAccessible(page, 'inbox');
    await expect.poll(() => existsSync(join(folder, 'done', 'good.csv'))).toBe(true);

    await page.getByLabel('State', { exact: true }).selectOption('Failed');
    await files.getByText('good.csv', { exact: true }).waitFor({ state: 'detached' });
    await files.getByRole('button', { name: 'Load again bad.csv' }).click();
    await page.getByText('Nightshift loads the file again').waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('Loaded');
    await files.getByRole('link', { name: 'Batch of good.csv' }).click();
    await page.getByRole('heading', { name: 'good.csv', level: 1 }).waitFor();
    await page.goBack();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Look now' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('heading', { name: 'Edit “leads”' }).waitFor();
    await page.getByLabel('Per file').fill('');
    await page.getByLabel('Frequency').selectOption('Custom (cron)');
    await page.getByLabel('Cron expression').fill('often');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByText('write five fields').first().waitFor();
    await page.getByLabel('Cron expression').fill('*/10 * * * *');
    await expectAccessible(page, 'inbox-edit');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Every 10 minutes').first().waitFor();
    const changed = await page.locator('.terms').innerText();
    expect(changed).toContain('Company website: Homepage');
    expect(changed).toContain('no limit');

    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: 'Inboxes' }).click();
    await page.getByRole('link', { name: 'leads', exact: true }).waitFor();
    await expectAccessible(page, 'inboxes');
    await page.getByRole('link', { name: 'leads', exact: true }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('dialog').getByText('Its credentials are deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove inbox' }).click();
    await page.getByText('No inboxes yet').waitFor();
    expect(existsSync(join(folder, 'done', 'good.csv'))).toBe(true);
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });

  test('asks for the credentials of its kind, as passwords, and shows the error of a host beside its field', async () => {
    const { page } = await site().open(browser(), '/inboxes/new');
    const kind = page.getByLabel('Kind');
    await kind.selectOption('SFTP folder');
    await page.getByLabel('Address').fill('sftp://ann@127.0.0.1/lists');
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
    await page.getByLabel('Password', { exact: true }).fill('hunter2-secret');
    await page.getByLabel('Private key', { exact: true }).waitFor();
    await kind.selectOption('S3 bucket');
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    for (const label of ['Access key ID', 'Secret access key', 'Session token'])
      expect(await page.getByLabel(label).getAttribute('type')).toBe('password');
    await page.getByLabel('Address').fill('s3://leads/incoming');
    await page.getByLabel('Endpoint').fill('http://127.0.0.1:9');
    await page.getByLabel('Access key ID').fill('key');
    await page.getByLabel('Secret access key').fill('hunter2-secret');
    await page.getByLabel('Name', { exact: true }).fill('bucket');
    await expectAccessible(page, 'inbox-new-bucket');
    await page.getByRole('button', { name: 'Add inbox' }).click();
    await expect.poll(() => page.locator('main .error, main [role=alert]').count()).toBeGreaterThan(0);
    expect(await page.locator('main').innerText()).not.toContain('hunter2');
    await kind.selectOption('Postgres database');
    await page.getByLabel('SQL').waitFor();
    await page.getByLabel('Column for newer rows').waitFor();
    await kind.selectOption('Web address');
    await page.getByLabel('Bearer token').waitFor();
    expect(await page.getByLabel('File names').count()).toBe(0);
  });
});

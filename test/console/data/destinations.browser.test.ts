import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { createEmptyDatabase } from '../../support/db/database.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-console-destinations-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeInBrowser('destination', (browser) => {
  const site = useTestConsole({
    settings: { NIGHTSHIFT_FOLDERS: root, NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1,localhost' },
  });

  test('of a folder is added, tested, takes batches, and is disabled, edited and removed', async () => {
    const folder = join(root, 'lake');
    mkdirSync(folder);
    const earlier = await upload('before.csv');
    const { page, errors } = await site().open(browser(), '/inboxes');
    await page.getByRole('link', { name: 'Destinations' }).click();
    await page.getByText('No destinations yet').waitFor();
    await expectAccessible(page, 'destinations-empty');
    await page.getByRole('link', { name: 'New destination' }).first().click();
    await page.getByRole('heading', { name: 'New destination' }).waitFor();
    await page.getByLabel('Address').fill('/etc');
    await page.getByLabel('Name', { exact: true }).fill('lake');
    await page.getByLabel('Format').selectOption('CSV');
    expect(await page.getByLabel('Folders').inputValue()).toBe('flat');
    await page.getByLabel('One line per ad', { exact: true }).check();
    await page.getByRole('button', { name: 'Add destination' }).click();
    await page.getByText('This folder cannot be used.').waitFor();
    await expect.poll(() => page.locator('input[aria-invalid]:focus').count()).toBe(1);
    await page.getByLabel('Address').fill(folder);
    await expectAccessible(page, 'destination-new');
    await page.getByRole('button', { name: 'Add destination' }).click();

    await page.getByRole('heading', { name: 'lake', level: 1 }).waitFor();
    expect(await page.locator('.terms').innerText()).toContain('CSV: rows, ads');
    await page.getByText('No landings yet').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Nightshift can write to the location.').waitFor();
    const { id } = await upload('after.csv');
    const landings = page.getByRole('region', { name: 'Landings of the destination, newest first' });
    await waitForLandings(2);
    await expectAccessible(page, 'destination');
    expect(readdirSync(folder).length).toBeGreaterThan(1);

    await page.getByRole('button', { name: 'Land earlier batches …' }).click();
    await page.getByRole('dialog').getByLabel('Period').selectOption('The last day');
    await page.getByRole('dialog').getByRole('button', { name: 'Land batches' }).click();
    await page.getByText('2 landings started.').waitFor();
    await waitForLandings(4);
    await landings
      .getByRole('button', { name: `Land again ${earlier.id}` })
      .first()
      .click();
    await waitForLandings(4);
    await page.getByLabel('State', { exact: true }).selectOption('Dead');
    await page.getByText('No landings in this state').waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('');

    await landings.getByRole('link', { name: id }).first().click();
    const ofBatch = page.getByRole('region', { name: 'Landings of the batch' });
    await ofBatch.getByText('Landed').first().waitFor();
    expect(await ofBatch.locator('tbody tr').count()).toBe(2);
    await expectAccessible(page, 'batch-landings');
    await ofBatch.getByRole('link', { name: 'lake' }).first().click();

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('heading', { name: 'Edit “lake”' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('results');
    await page.getByLabel('Compress files (gzip)').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'results', level: 1 }).waitFor();
    expect(await page.locator('.terms').innerText()).toContain('compressed');

    rmSync(folder, { recursive: true });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: 'Destinations' }).click();
    await page.getByRole('link', { name: 'results', exact: true }).waitFor();
    await expectAccessible(page, 'destinations');
    await page.getByRole('link', { name: 'results', exact: true }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('dialog').getByText('Its credentials are deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove destination' }).click();
    await page.getByText('No destinations yet').waitFor();
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);

    async function waitForLandings(count: number): Promise<void> {
      await expect
        .poll(
          async () => {
            await page.getByRole('button', { name: 'Refresh' }).click();
            return landings.getByText('Landed', { exact: true }).count();
          },
          { timeout: waitMsMax, interval: 300 },
        )
        .toBe(count);
    }
  });

  test('of a table asks for its table and key, and of a schedule or batch for which one', async () => {
    const database = await openDatabase('hunter2-secret');
    const { page } = await site().open(browser(), '/destinations/new?batch=bat_1');
    expect(await page.getByLabel('Id of the batch').inputValue()).toBe('bat_1');
    await page.getByLabel('What lands here').selectOption('Batches of one schedule');
    await page.getByLabel('Schedule', { exact: true }).waitFor();
    await page.getByLabel('What lands here').selectOption('All batches of the account');
    await page.getByLabel('Kind').selectOption('Postgres database');
    await page.getByLabel('Address').fill(database);
    await page.getByLabel('Password', { exact: true }).fill('hunter2-secret');
    await page.getByLabel('Name', { exact: true }).fill('table');
    await page.getByLabel('Table', { exact: true }).fill('companies');
    await page.getByRole('button', { name: 'Add destination' }).click();
    await page.getByText('Name the table as schema.name').waitFor();
    await expect.poll(() => page.locator('input[aria-invalid]:focus').count()).toBe(1);
    await page.getByLabel('Table', { exact: true }).fill('sales.companies');
    await page.getByLabel('Key', { exact: true }).fill('company_domain, day');
    await expectAccessible(page, 'destination-new-table');
    await page.getByRole('button', { name: 'Add destination' }).click();
    await page.getByRole('heading', { name: 'table', level: 1 }).waitFor();
    const terms = await page.locator('.terms').innerText();
    for (const text of ['stored', 'Table sales.companies', 'company_domain, day'])
      expect(terms).toContain(text);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const password = page.getByLabel('Password', { exact: true });
    await password.waitFor();
    expect(await password.inputValue()).toBe('');
    expect(await page.content()).not.toContain('hunter2');
    await page.getByText('Stored. Leave all fields empty').waitFor();
  });

  /** Creates a database and a login with this password. Returns its location. */
  async function openDatabase(password: string): Promise<string> {
    const url = new URL(await createEmptyDatabase());
    const login = `ann_${randomBytes(6).toString('hex')}`;
    const client = new pg.Client(url.href);
    await client.connect();
    onTestFinished(() => client.query(`DROP ROLE ${login}`).then(() => client.end()));
    await client.query(`CREATE ROLE ${login} LOGIN SUPERUSER PASSWORD '${password}'`);
    return `postgres://${login}@${url.host}${url.pathname}?sslmode=disable`;
  }

  async function upload(name: string): Promise<{ readonly id: string }> {
    const headers = { 'Content-Type': 'text/csv' };
    const body = 'domain\nnike.com\nairbnb.com\n';
    const key = await site().createKey();
    const made = await site().call('POST', `/v1/batches?file_name=${name}`, { key, headers, body });
    return made.json() as { id: string };
  }
});

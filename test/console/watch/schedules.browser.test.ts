import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { eachTestConsole, keepPicture, outsideRequests } from '../../support/browser/test-console.ts';
import { expectApart } from '../../support/browser/label-boxes.ts';
import { createRivals } from '../../support/stand-in/rival-ads.ts';

describeInBrowser('schedule', (browser) => {
  const rivals = createRivals();
  beforeEach(() => rivals.begin());

  eachTestConsole(
    (site) => {
      test('of entered companies runs twice and shows the changes in between', async () => {
        const opened = await site().open(browser(), '/schedules');
        const { page, errors } = opened;
        await page.getByText('No schedules yet').waitFor();
        await page.getByRole('link', { name: 'New schedule' }).first().click();
        await page.getByRole('heading', { name: 'New schedule' }).waitFor();
        expect(await page.getByRole('button', { name: 'Create schedule' }).isDisabled()).toBe(true);
        await page.getByRole('button', { name: 'Paste rows' }).click();
        await page.getByLabel('Rows', { exact: true }).fill('acme.com\n\n globex.com \nNobody "Inc", Ltd.');
        await page.getByRole('button', { name: 'Use these rows' }).click();
        await page.getByText('3 companies. A scan costs 0 to 0.6 credits.').waitFor();
        await page.getByLabel('Name', { exact: true }).fill('rivals');
        await page.getByLabel('Frequency').selectOption('Monday to Friday');
        await page.getByLabel('At', { exact: true }).fill('06:30');
        await page.getByLabel('Time zone').fill('Europe/Berlin');
        await page.getByText(/At 06:30, Monday through Friday, Europe\/Berlin/).waitFor();
        expect(await page.locator('.next-times li').count()).toBe(5);
        await page.getByLabel('Per scan', { exact: true }).fill('5');
        await page.getByText('Search options and change detection').click();
        await page.getByLabel('Scans until an ad ends').fill('1');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'schedule-new');
        await page.getByRole('button', { name: 'Create schedule' }).click();

        await page.getByRole('heading', { name: 'rivals', level: 1 }).waitFor();
        expect(await page.locator('.terms').innerText()).toContain('after 1 complete scan without it');
        await page.getByText('No scans yet').waitFor();
        await runNow();
        rivals.sleep();
        await runNow();
        expect(await page.locator('tbody tr').count()).toBe(2);
        await expect
          .poll(() => page.locator('tbody tr').first().innerText())
          .toContain('1 new, 1 changed, 1 ended');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'schedule');

        await page.getByRole('link', { name: '1 new, 1 changed, 1 ended' }).click();
        await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor();
        const company = page.getByRole('heading', { name: 'acme.com: 1 new, 1 changed, 1 ended', level: 3 });
        await company.waitFor();
        const cards = page.getByRole('list', { name: 'acme.com' }).getByRole('listitem');
        const [changed, started, ended] = ['Anvils', 'Magnets', 'Rockets'].map((text) =>
          cards.filter({ hasText: text }),
        );
        expect(await started?.locator('.ribbon').innerText()).toBe('New');
        expect(await changed?.innerText()).toContain('Changed: Text.');
        expect(await ended?.innerText()).toContain('No longer running');
        // The full address of the ad, and its page.
        const link = started?.getByRole('link', { name: /View in Google Ads Transparency/ });
        expect(await link?.getAttribute('href')).toMatch(
          /^https:\/\/adstransparency\.google\.com\/advertiser\/.+\/creative\/CR/,
        );
        expect(await page.locator('.ad-creative img').count()).toBe(0);
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'changes-feed');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Download CSV' }).click(),
        ]);
        const lines = readFileSync(await download.path(), 'utf8')
          .trimEnd()
          .split('\n');
        expect(lines).toHaveLength(4);
        expect(lines.filter((line) => line.includes(',acme.com,'))).toHaveLength(3);

        await page.getByRole('button', { name: 'List' }).click();
        const list = page.getByRole('list', { name: 'Changes' });
        await list.getByText('Magnets that wait').waitFor();
        expect(await list.locator('h3').allInnerTexts()).toEqual(
          expect.arrayContaining(['Magnets that wait', 'Rockets for beginners', 'Anvils, now lighter']),
        );
        expect(await list.locator('.differences').innerText()).toContain('By acme.com → And cheaper');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'changes');
        await page.getByLabel('Ended').check();
        await page.getByText('Magnets that wait').waitFor({ state: 'detached' });
        await page.getByText('No longer running').waitFor();
        // The URL keeps the filters.
        await page.reload();
        await page.getByText('No longer running').waitFor();
        expect(await page.getByLabel('Ended').isChecked()).toBe(true);

        await page.getByRole('button', { name: 'By day' }).click();
        const day = page.getByRole('region', { name: /Changes by day/ }).locator('tbody tr');
        await expect.poll(() => day.count()).toBe(1);
        expect((await day.locator('td').allInnerTexts()).slice(0, 5)).toEqual(['rivals', '1', '–', '1', '1']);
        expect(await readAxeFindings(page)).toEqual([]);
        await day.getByRole('link').click();
        await company.waitFor();
        await page.getByRole('button', { name: 'List' }).click();
        await list.getByText('Everlasting pipes').waitFor({ state: 'detached' });
        await list.getByRole('link', { name: 'Anvils, now lighter' }).click();
        await page.getByRole('heading', { name: '2 versions' }).waitFor();
        expect(await page.locator('td.changed').first().innerText()).toContain('And cheaper');
        const lookups = page.getByRole('region', { name: 'Lookups that found the ad' }).locator('tbody tr');
        await expect.poll(() => lookups.count()).toBe(2);
        expect(await lookups.first().innerText()).toContain('scan of rivals');

        await page.getByRole('link', { name: 'Watch', exact: true }).click();
        await page.getByRole('link', { name: 'Charts', exact: true }).click();
        await page.getByRole('heading', { name: 'Active ads over time' }).waitFor();
        // Both scans are of one day.
        await page.getByText('The line begins with the second scan, on another day.').waitFor();
        const columns = page.getByRole('slider', { name: 'New and ended ads' });
        expect(await columns.getAttribute('aria-valuetext')).toMatch(/: new or back 1, ended 1$/);
        expect(await columns.getAttribute('aria-valuemax')).toBe('89');
        expect(await columns.locator('path.up, path.down').count()).toBe(2);
        await expectApart(columns.locator('.day-mark'));
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'charts-schedule');
        expect(errors).toEqual([]);
        expect(outsideRequests(opened, site().url)).toEqual([]);

        /** Runs the schedule and waits until the page shows the end of the scan by itself. */
        async function runNow(): Promise<void> {
          const finished = await page.getByText('Finished', { exact: true }).count();
          await page.getByRole('button', { name: 'Run now …' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          await expect.poll(() => page.getByText('Finished', { exact: true }).count()).toBe(finished + 1);
        }
      });

      test('of a batch has its name, companies and options', async () => {
        const key = await site().createKey();
        const json = {
          ...{
            rows: [{ domain: 'acme.com' }, { domain: 'globex.com' }, { domain: '' }],
            file_name: 'few.csv',
          },
          ...{ max_ads: 9, own_only: true, max_age: '12h' },
        };
        const added = await site().call('POST', '/v1/batches', { key, json });
        const { id } = added.json() as { id: string };
        const { page, errors } = await site().open(browser(), `/batches/${id}`);
        await page.getByRole('link', { name: 'Schedule this' }).click();
        await page.getByRole('heading', { name: 'New schedule', level: 1 }).waitFor();
        await page.getByText('few.csv: 3 rows, 2 companies.').waitFor();
        expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('few');
        expect(await page.getByLabel('Frequency').inputValue()).toBe('week');
        await page.getByText('Search options and change detection').click();
        expect(await page.getByLabel('Maximum ads per company').inputValue()).toBe('9');
        expect(await page.getByLabel('Reuse earlier results').inputValue()).toBe('12h');
        expect(await page.getByLabel('Exclude ads that third parties run').isChecked()).toBe(true);
        await page.getByLabel('Maximum ads per company').fill('5');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'schedule-of-batch');
        await page.getByRole('button', { name: 'Create schedule' }).click();
        await page.getByRole('heading', { name: 'few', level: 1 }).waitFor();
        const created = (await site().call('GET', '/v1/schedules/few', { key })).json();
        expect(created).toMatchObject({
          ...{ companies: 2, cron: '0 2 * * 1', max_ads: 5, own_only: true, max_age: '12h' },
          ...{ file_name: 'few.csv', sources: ['upstream'] },
        });

        await page.goto(`${site().url}/batches`);
        await page.getByRole('row').filter({ hasText: 'few.csv' }).getByRole('checkbox').check();
        await page.getByRole('link', { name: 'Schedule this' }).click();
        await page.getByText('few.csv: 3 rows, 2 companies.').waitFor();
        await page.getByRole('button', { name: 'Create schedule' }).click();
        await page.getByText('There is a schedule "few" already').waitFor();
        await page.getByRole('link', { name: 'Choose other companies' }).click();
        await page.getByRole('button', { name: 'Paste rows' }).waitFor();
        expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
        expect(errors.filter((error) => !/status of 409/.test(error))).toEqual([]);
      });

      test('of a file is edited, paused, reported and deleted', async () => {
        const { page, errors } = await site().open(browser(), '/schedules/new');
        const buffer = Buffer.from('Firm,Web,Note\nAcme,acme.com,x\nGlobex,globex.com,y\n,,z\n');
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'the few.csv', mimeType: 'text/csv', buffer });
        await page.getByText('2 companies, 1 row rejected.').waitFor();
        expect(await page.getByLabel('Company website').inputValue()).toBe('Web');
        await page.getByLabel('Company name').selectOption('Firm');
        expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('the few');
        await page.getByRole('button', { name: 'Create schedule' }).click();
        await page.getByRole('heading', { name: 'the few', level: 1 }).waitFor();

        await page.getByRole('link', { name: 'Edit', exact: true }).click();
        await page.getByRole('heading', { name: 'Edit “the few”' }).waitFor();
        await page.getByLabel('Frequency').selectOption('Custom (cron)');
        await page.getByLabel('Cron expression').fill('61 * * * *');
        await page.getByText(/61/).last().waitFor();
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Cron expression').fill('*/20 * * * *');
        await page.getByLabel('Per day', { exact: true }).fill('1.5');
        expect(await readAxeFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.getByText('Every 20 minutes').first().waitFor();
        expect(await page.locator('.terms').innerText()).toContain('up to 1.5 credits');

        await page.getByRole('link', { name: 'Edit', exact: true }).click();
        await page.getByLabel('Per day', { exact: true }).fill('');
        await page.getByRole('button', { name: 'Paste rows' }).click();
        await page.getByLabel('Rows', { exact: true }).fill('globex.com');
        await page.getByRole('button', { name: 'Use these rows' }).click();
        await page.getByRole('button', { name: 'Replace companies' }).click();
        await page.getByText('Current file: Pasted rows, 1 company').waitFor();
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.getByText('Pasted rows, 1 company').waitFor();
        expect(await page.locator('.terms').innerText()).not.toContain('1.5');

        await page.getByRole('button', { name: 'Pause' }).click();
        await page.getByText('This schedule is paused.').waitFor();
        const [report] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Download report' }).click(),
        ]);
        expect(readFileSync(await report.path(), 'utf8')).toContain('the few');
        await page.getByRole('button', { name: 'Delete …' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click();
        await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
        await page.getByText('“the few” was deleted').waitFor();
        expect(await page.getByRole('link', { name: 'the few' }).count()).toBe(0);
        // The browser logs responses with status 400.
        expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
      });
    },
    { ads: rivals.ads },
  );
});

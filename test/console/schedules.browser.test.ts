import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { dayMarks, dayRange, markLabels } from '../../src/console/components/charts/day-axis.ts';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { eachTestConsole, keepPicture, outsideRequests } from '../support/browser/test-console.ts';
import { noteDrawnTexts, readDrawnTexts } from '../support/browser/drawn-texts.ts';
import { createRivals } from '../support/stand-in/rival-ads.ts';

describeInBrowser('a schedule', (browser) => {
  const rivals = createRivals();
  beforeEach(() => rivals.begin());

  eachTestConsole(
    (site) => {
      test('is made of typed companies, run twice, and tells what changed in between', async () => {
        const firstDay = today();
        const opened = await site().open(browser(), '/schedules', { prepare: noteDrawnTexts });
        const { page, errors } = opened;
        await page.getByText('There is no schedule yet').waitFor();
        await page.getByRole('link', { name: 'New schedule' }).first().click();
        await page.getByRole('heading', { name: 'New schedule' }).waitFor();
        expect(await page.getByRole('button', { name: 'Make the schedule' }).isDisabled()).toBe(true);
        await page.getByLabel('Or type them in').fill('acme.com\n\n globex.com \nNobody "Inc", Ltd.');
        await page.getByRole('button', { name: 'Take these' }).click();
        await page.getByText('3 companies. A scan costs 0 to 0.6 credits.').waitFor();
        await page.getByLabel('Name', { exact: true }).fill('rivals');
        await page.getByLabel('How often').selectOption('Monday to Friday');
        await page.getByLabel('At', { exact: true }).fill('06:30');
        await page.getByLabel('By the clocks of').fill('Europe/Berlin');
        await page.getByText(/At 06:30, Monday through Friday, Europe\/Berlin/).waitFor();
        expect(await page.locator('.next-times li').count()).toBe(5);
        await page.getByLabel('A scan', { exact: true }).fill('5');
        await page.getByText('How it looks, and how changes are judged').click();
        await page.getByLabel('Misses that end an ad').fill('1');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'schedule-new');
        await page.getByRole('button', { name: 'Make the schedule' }).click();

        await page.getByRole('heading', { name: 'rivals', level: 1 }).waitFor();
        expect(await page.locator('.facts').innerText()).toContain('when 1 complete scan in a row');
        await page.getByText('It has not run yet').waitFor();
        await runNow();
        rivals.sleep();
        await runNow();
        expect(await page.locator('tbody tr').count()).toBe(2);
        await expect
          .poll(async () => {
            await page.getByRole('button', { name: 'Look again' }).click();
            return page.locator('tbody tr').first().innerText();
          })
          .toContain('1 new, 1 changed, 1 ended');
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'schedule');

        await page.getByRole('link', { name: '1 new, 1 changed, 1 ended' }).click();
        await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor();
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
        await page.getByText('does not run any more').waitFor();
        // The address says all of that.
        await page.reload();
        await page.getByText('does not run any more').waitFor();
        expect(await page.getByLabel('Ended').isChecked()).toBe(true);

        await page.getByRole('button', { name: 'By day' }).click();
        const day = page.getByRole('region', { name: /Changes by day/ }).locator('tbody tr');
        await expect.poll(() => day.count()).toBe(1);
        expect((await day.locator('td').allInnerTexts()).slice(0, 5)).toEqual(['rivals', '1', '–', '1', '1']);
        expect(await readAxeFindings(page)).toEqual([]);
        await day.getByRole('link').click();
        await list.getByText('Everlasting pipes').waitFor({ state: 'detached' });
        await list.getByRole('link', { name: 'Anvils, now lighter' }).click();
        await page.getByRole('heading', { name: '2 versions' }).waitFor();
        expect(await page.locator('td.changed').first().innerText()).toContain('And cheaper');
        const observations = page
          .getByRole('region', { name: 'Lookups that saw the ad' })
          .locator('tbody tr');
        await expect.poll(() => observations.count()).toBe(2);
        expect(await observations.first().innerText()).toContain('a scan of rivals');

        await page.getByRole('link', { name: 'Charts', exact: true }).click();
        await page.getByRole('heading', { name: 'Active ads over time' }).waitFor();
        const canvas = page.locator('.plot canvas');
        await canvas.waitFor();
        const days = await expectDayLabels(page);
        expect(days).toEqual(markLabels(dayMarks(dayRange([firstDay, today()]), 1000)));
        await page.setViewportSize({ width: 360, height: 740 });
        await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeLessThan(360);
        expect((await expectDayLabels(page)).length).toBeGreaterThan(0);
        await page.setViewportSize({ width: 1280, height: 720 });
        await expect.poll(async () => (await canvas.boundingBox())?.width ?? 0).toBeGreaterThan(360);
        expect(await expectDayLabels(page)).toEqual(days);
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'charts-schedule');
        expect(errors).toEqual([]);
        expect(outsideRequests(opened, site().url)).toEqual([]);

        /** Runs it, and waits for the scan to be over. */
        async function runNow(): Promise<void> {
          const finished = await page.getByText('Finished', { exact: true }).count();
          await page.getByRole('button', { name: 'Run now …' }).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Run it now' }).click();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          await expect
            .poll(async () => {
              await page.getByRole('button', { name: 'Look again' }).click();
              return page.getByText('Finished', { exact: true }).count();
            })
            .toBe(finished + 1);
        }
      });

      test('is made of a file, changed, paused, reported on and removed', async () => {
        const { page, errors } = await site().open(browser(), '/schedules/new');
        const buffer = Buffer.from('Firm,Web,Note\nAcme,acme.com,x\nGlobex,globex.com,y\n,,z\n');
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'the few.csv', mimeType: 'text/csv', buffer });
        await page.getByText('2 companies, 1 row rejected.').waitFor();
        expect(await page.getByLabel('Website of the company').inputValue()).toBe('Web');
        await page.getByLabel('Name of the company').selectOption('Firm');
        expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('the few');
        await page.getByRole('button', { name: 'Make the schedule' }).click();
        await page.getByRole('heading', { name: 'the few', level: 1 }).waitFor();

        await page.getByRole('link', { name: 'Change', exact: true }).click();
        await page.getByRole('heading', { name: 'Change “the few”' }).waitFor();
        await page.getByLabel('How often').selectOption('A pattern of my own');
        await page.getByLabel('Pattern').fill('61 * * * *');
        await page.getByText(/61/).last().waitFor();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Pattern').fill('*/20 * * * *');
        await page.getByLabel('A day', { exact: true }).fill('1.5');
        expect(await readAxeFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Every 20 minutes').first().waitFor();
        expect(await page.locator('.facts').innerText()).toContain('up to 1.5 credits');

        await page.getByRole('link', { name: 'Change', exact: true }).click();
        await page.getByLabel('A day', { exact: true }).fill('');
        await page.getByLabel('Or type them in').fill('globex.com');
        await page.getByRole('button', { name: 'Take these' }).click();
        await page.getByRole('button', { name: 'Scan this list from now on' }).click();
        await page.getByText('It has companies.csv, with 1 company').waitFor();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('companies.csv, 1 company').waitFor();
        expect(await page.locator('.facts').innerText()).not.toContain('1.5');

        await page.getByRole('button', { name: 'Pause' }).click();
        await page.getByText('none of its times counts until it is resumed').waitFor();
        const [report] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Report to keep' }).click(),
        ]);
        expect(readFileSync(await report.path(), 'utf8')).toContain('the few');
        await page.getByRole('button', { name: 'Remove …' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove it for good' }).click();
        await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
        await page.getByText('“the few” is removed').waitFor();
        expect(await page.getByRole('link', { name: 'the few' }).count()).toBe(0);
        // The browser itself says on the console that a request was refused.
        expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
      });
    },
    { ads: rivals.ads },
  );
});

/** A day of UTC, as charts have them. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The labels of days in the chart, from left to right: none runs into the next. */
async function expectDayLabels(page: Page): Promise<readonly string[]> {
  const labels = (await readDrawnTexts(page)).filter(({ text }) => /^\d+ [A-Z]/.test(text));
  for (const [i, label] of labels.entries())
    if (i > 0) expect(label.from).toBeGreaterThan(labels[i - 1]?.to ?? 0);
  return labels.map(({ text }) => text);
}

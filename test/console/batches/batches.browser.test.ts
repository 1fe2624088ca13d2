import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { hashPassword } from '../../../src/core/accounts/password.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import {
  eachTestConsole,
  keepPicture,
  outsideRequests,
  type TestConsole,
} from '../../support/browser/test-console.ts';

/** Time for 100 lookups on a slow machine, and for the tab that polls. */
const finishMsMax = 30_000;

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };

/** Twelve rows: ten companies, two of them with ads, a duplicate and a row without a company. */
const companies = [
  'Account,Site,Note',
  'Nike,https://www.nike.com/de,first',
  'Nike again,nike.com,',
  ',,=1+2',
  'Airbnb,airbnb.com,"two',
  'lines"',
  ...Array.from({ length: 8 }, (_, i) => `Nobody ${i},nobody-${i}.com,`),
].join('\n');

describeInBrowser('batch', (browser) => {
  eachTestConsole((site) => {
    test('form reads a German file and proposes an ambiguous company column instead of choosing it', async () => {
      const { page, errors } = await site().open(browser(), '/batches/new');
      await choose(
        page,
        'kunden.csv',
        'Kunde;Ort;E-Mail\nAnker;Köln;a@web.de\nBoje;Ulm;b@gmx.de\nKran;Hof;c@web.de\n',
      );
      const name = page.getByLabel('Company name');
      await page.getByText('“Kunde” is not used. It looks like text (Anker, Boje).').waitFor();
      expect(await name.inputValue()).toBe('');
      expect(await page.getByText('Not used: text').count()).toBe(2);
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Use as company name' }).click();
      expect(await name.inputValue()).toBe('Kunde');
      expect(await page.getByText('is not used. It looks like').count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test('form shows columns and cost, a double click starts one batch, and its page follows it to the end', async () => {
      const opened = await site().open(browser(), '/batches');
      const { page, errors } = opened;
      await page.getByText('No batches yet').waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'New batch' }).first().click();
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await choose(page, 'leads.csv', companies);

      await page.getByRole('heading', { name: 'Choose columns' }).waitFor();
      expect(await page.getByText('Detected:').textContent()).toContain('company website in “Site”');
      const name = page.getByLabel('Company name');
      expect(await name.inputValue()).toBe('Account');
      expect(await name.locator('option').allInnerTexts()).toEqual(['No column', 'Account', 'Site', 'Note']);
      expect(await page.getByLabel('Validate e-mail addresses').isDisabled()).toBe(true);
      await name.selectOption('Note');
      await page.getByLabel('E-mail address', { exact: true }).selectOption('Note');
      await page.getByText('One column is used twice').waitFor();
      await page.getByLabel('E-mail address', { exact: true }).selectOption('');
      await name.selectOption('Account');
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-batch-columns');
      await page.getByRole('button', { name: 'Review cost' }).click();

      await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
      const preview = page.getByRole('region', { name: 'First rows of the file' }).locator('tbody tr');
      expect(await preview.count()).toBe(12);
      expect(await textsOf(preview.nth(0))).toEqual(['2', 'Accepted', 'nike.com', 'Nike', '–', '', '0.2']);
      expect(await textsOf(preview.nth(1))).toEqual([
        '3',
        'Duplicate of line 2',
        'nike.com',
        'Nike again',
        '–',
        '',
        '0',
      ]);
      expect((await textsOf(preview.nth(2))).slice(0, 2)).toEqual(['4', 'Rejected']);
      expect(await costOf(page)).toBe('0 to 2 credits');
      await page.getByLabel('First 10 rows as a test').check();
      expect(await costOf(page)).toBe('0 to 1.6 credits');
      await page.getByLabel('Budget in credits').fill('x');
      await page.getByText('Enter an amount').waitFor();
      expect(await page.getByRole('button', { name: 'Start with first 10 rows' }).isDisabled()).toBe(true);
      await page.getByLabel('Budget in credits').fill('0.5');
      await page.getByText('The budget of 0.5 credits may not cover all 8 lookups').waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-batch-review');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download 1 rejected row' }).click();
      expect(readFileSync(await (await download).path(), 'utf8')).toBe(
        "line,reason,Account,Site,Note\n4,no company domain and no company name,,,'=1+2\n",
      );

      // Going back and forward keeps the input.
      await page.getByRole('button', { name: 'Back' }).click();
      expect(await page.getByLabel('Company website').inputValue()).toBe('Site');
      await page.goBack();
      await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
      expect(await page.getByLabel('Budget in credits').inputValue()).toBe('0.5');
      await page.getByLabel('Budget in credits').fill('');
      await page.getByRole('button', { name: 'Start with first 10 rows' }).dblclick();

      await page.getByText('The first 10 rows are done', { exact: true }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('leads.csv');
      expect(page.url()).toMatch(/\/batches\/bat_\w+$/);
      expect(await outcome(page, 'With ads')).toBe('2');
      await keepPicture(page, 'batch-first-rows');
      await page.getByRole('button', { name: 'Resume …' }).click();
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Resume batch' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      // The timeline may update a moment before the figures.
      const progress = page.getByRole('progressbar');
      await expect.poll(() => progress.getAttribute('aria-valuetext')).toBe('10 of 10 lookups');
      expect(await outcome(page, 'With ads')).toBe('2');
      await expect
        .poll(() => page.locator('.timeline li p:first-child').allInnerTexts())
        .toEqual([
          'Created by jane@example.com',
          'File read, queued',
          'Paused: the first 10 rows are done',
          'Resumed by jane@example.com',
          'Finished',
        ]);
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'batch-finished');
      const exported = page.waitForEvent('download');
      await page.getByRole('link', { name: 'CSV', exact: true }).click();
      expect(readFileSync(await (await exported).path(), 'utf8')).toContain('Airbnb,airbnb.com');
      const { batches } = await listed(site());
      expect(batches).toHaveLength(1);

      await page.getByRole('link', { name: 'Results' }).click();
      await page.getByRole('link', { name: /^Companies/ }).click();
      await page.getByText('12 rows in total').waitFor();
      await page.getByLabel('Outcome').selectOption({ label: 'With ads (3)' });
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
      const narrowed = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download results' }).click();
      const kept = readFileSync(await (await narrowed).path(), 'utf8');
      expect(kept).toContain('Nike again,nike.com');
      expect(kept).not.toContain('nobody');

      // The next file with these columns gets the same mapping.
      await page.getByRole('link', { name: 'Batches', exact: true }).click();
      await page.getByRole('link', { name: 'New batch' }).click();
      await choose(page, 'more.csv', 'Account,Site,Note\nPuma,puma.com,\n');
      await page.getByText('You uploaded a file with these columns before: leads.csv').waitFor();
      expect(errors).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);
    });

    test('of a file that already ran is charged again only after a confirmation', async () => {
      const file = 'website\nnike.com\nairbnb.com\n';
      const { page, errors } = await site().open(browser(), '/batches/new');
      const review = async () => {
        await choose(page, 'again.csv', file);
        await page.getByRole('button', { name: 'Review cost' }).click();
        await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
      };
      const again = async () =>
        (await listed(site())).batches.filter((batch) => batch.file_name === 'again.csv');
      await review();
      await page.getByRole('button', { name: 'Start batch' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      const first = page.url();
      const { balanceMicro: left } = await site().balance();

      await page.goto(`${site().url}/batches/new`);
      await review();
      await page.getByText('You already ran this file').waitFor();
      expect(await page.getByRole('button', { name: 'Start batch' }).count()).toBe(0);
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-batch-same-file');
      await page.getByRole('link', { name: 'Open batch' }).click();
      await page.getByRole('heading', { name: 'again.csv' }).waitFor();
      expect(page.url()).toBe(first);
      expect(await again()).toHaveLength(1);

      await page.goto(`${site().url}/batches/new`);
      await review();
      await page.getByRole('button', { name: 'Refresh results older than 7 days' }).dblclick();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect(await again()).toHaveLength(2);
      expect((await site().balance()).balanceMicro).toBe(left);

      await page.goto(`${site().url}/batches/new`);
      await review();
      await page.getByRole('button', { name: 'Run again for up to 0.4 credits' }).dblclick();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect(await again()).toHaveLength(3);
      const { balanceMicro: paid } = await site().balance();

      await page.getByRole('button', { name: 'Run again …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('for up to 0.4 credits').waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await dialog.getByLabel('Look up only what is older than 7 days').check();
      const third = page.url();
      await dialog.getByRole('button', { name: 'Run again' }).dblclick();
      await page.waitForURL((url) => url.href !== third);
      await page.getByText('Finished', { exact: true }).first().waitFor();
      await page.getByText('run again of again.csv').waitFor();
      expect(await again()).toHaveLength(4);
      expect((await site().balance()).balanceMicro).toBe(paid);
      expect(errors).toEqual([]);
    });

    test('form shows the error of an unreadable file with its line and remedy', async () => {
      const { page, errors } = await site().open(browser(), '/batches/new?step=review', { visitor: phone });
      await page.getByText('choose it again').waitFor();
      await choose(page, 'book.xlsx', 'PK\u0003\u0004rest');
      await page.getByText('The ZIP data is damaged or cut off. Copy or download the file again').waitFor();
      await choose(page, 'broken.csv', 'company,website\nNike,nike.com\n"Ada,ada.com\nx,y.com\n');
      await page.getByText('Columns or characters look wrong?').click();
      // However slow the answer is, the review waits for it.
      await page.route('**/*strict=true*', (late) => page.waitForTimeout(1000).then(() => late.continue()));
      await page.getByLabel('Damaged lines').selectOption('Reject the file');
      await page.getByRole('button', { name: 'Review cost' }).click();
      const error = page
        .getByRole('alert')
        .getByText(
          'broken.csv, line 3: The record is not well-formed: a misplaced quotation mark, or one that is never closed',
        );
      await error.waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-batch-bad-file-phone');
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      // The browser logs responses with status 400.
      expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
    });

    test('form survives an expired session, and a lost response starts no second batch', async () => {
      const person = { login: 'mid@example.com', role: 'member' as const };
      const by = { actor: 'test', address: null };
      await site().beginSession(person);
      const { userId } = await site().app.accounts.users.find(person.login);
      await site().app.accounts.users.setPassword(userId, await hashPassword('correct horse battery'), by);
      const { page, errors } = await site().open(browser(), '/batches/new', { person });
      await choose(page, 'kept.csv', 'website\nkept-one.com\nkept-two.com\n');
      await page.getByRole('button', { name: 'Review cost' }).click();
      await page.getByLabel('Budget in credits').fill('0.3');
      await site().app.accounts.sessions.endAll(userId, by);
      // The first response is lost.
      const keys: (string | undefined)[] = [];
      await page.route(/max_credits/, async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        const answer = await route.fetch();
        if (answer.status() !== 201 || keys.length > 2) await route.fulfill({ response: answer });
        else await route.abort('connectionreset');
      });
      await page.getByRole('button', { name: 'Start batch' }).click();
      await page.getByText('Your input is kept').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The server cannot be reached').waitFor();
      await page.getByRole('button', { name: 'Start batch' }).click();
      await page.getByRole('heading', { name: 'kept.csv' }).waitFor();
      expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
      const { batches } = await listed(site());
      const kept = batches.filter((batch) => batch.file_name === 'kept.csv');
      expect(kept).toMatchObject([{ max_credits: 0.3, rows: { total: 2 } }]);
      expect(errors.filter((error) => !/status of 401|ERR_CONNECTION_RESET/.test(error))).toEqual([]);
    });
  });

  eachTestConsole(
    (site) => {
      test('page shows the same progress in two tabs and after a reload, up to the end', async () => {
        const key = await site().createKey();
        const rows = Array.from({ length: 100 }, (_, i) => ({ company_domain: `nobody-${i}.com` }));
        const answer = await site().call('POST', '/v1/batches', {
          key,
          json: { rows, file_name: 'scan.csv' },
        });
        const { id } = answer.json() as { readonly id: string };
        const one = await site().open(browser(), `/batches/${id}`);
        const two = await site().open(browser(), `/batches/${id}`, { visitor: phone });
        for (const { page } of [one, two]) await page.getByText('0 of 100 lookups').first().waitFor();
        await one.page.getByRole('button', { name: 'Pause' }).click();
        await two.page.getByText('This batch is paused').waitFor();
        // From here on the second tab has no events and polls.
        await two.page.route('**/events', (route) => route.fulfill({ status: 503 }));
        await two.page.reload();
        await two.page.getByText('This batch is paused').waitFor();
        await two.page.getByText('Paused by jane@example.com').waitFor();
        expect(await readAxeFindings(two.page)).toEqual([]);
        await keepPicture(two.page, 'batch-paused-phone');
        expect(await two.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(
          true,
        );
        await two.page.getByRole('button', { name: 'Resume …' }).click();
        await two.page.getByRole('dialog').getByRole('button', { name: 'Resume batch' }).click();
        await one.page.getByRole('button', { name: 'Pause' }).waitFor();
        await one.page.reload();
        await one.page.getByText('measuring …').first().waitFor();
        const workers = await runWorkers(site().app);
        onTestFinished(() => workers.close());
        for (const { page } of [one, two]) {
          await page.getByText('Finished', { exact: true }).first().waitFor({ timeout: finishMsMax });
          const progress = page.getByRole('progressbar');
          await expect.poll(() => progress.getAttribute('aria-valuetext')).toBe('100 of 100 lookups');
        }
        expect(one.errors).toEqual([]);
        expect(two.errors.filter((error) => !/status of 503/.test(error))).toEqual([]);
        expect([...outsideRequests(one, site().url), ...outsideRequests(two, site().url)]).toEqual([]);
      });
    },
    { workers: false },
  );
});

async function choose(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

async function costOf(page: Page): Promise<string> {
  return (await page.locator('.cost-range').innerText()).trim();
}

/** The cells of a row but the last, which is the original row. */
async function textsOf(row: Locator): Promise<readonly string[]> {
  return (await row.locator('th, td').allInnerTexts()).slice(0, -1);
}

async function outcome(page: Page, name: string): Promise<string> {
  return page.locator('.bars tr', { hasText: name }).locator('.number').innerText();
}

interface Listed {
  readonly batches: readonly { readonly file_name: string }[];
}

async function listed(site: TestConsole): Promise<Listed> {
  const answer = await site.call('GET', '/v1/batches', { key: await site.createKey() });
  return answer.json() as Listed;
}

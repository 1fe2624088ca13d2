import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runWorkers } from '../../src/cli/process/run-workers.ts';
import { hashPassword } from '../../src/core/accounts/password.ts';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import {
  eachTestConsole,
  keepPicture,
  outsideRequests,
  type TestConsole,
} from '../support/browser/test-console.ts';

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };

/** Twelve rows: ten companies, of which two have ads, a repeated one, and one that names nothing. */
const companies = [
  'Account,Site,Note',
  'Nike,https://www.nike.com/de,first',
  'Nike again,nike.com,',
  ',,=1+2',
  'Airbnb,airbnb.com,"two',
  'lines"',
  ...Array.from({ length: 8 }, (_, i) => `Nobody ${i},nobody-${i}.com,`),
].join('\n');

describeInBrowser('a list', (browser) => {
  eachTestConsole((site) => {
    test('in German is understood, and a column that may be the company is offered instead of guessed', async () => {
      const { page, errors } = await site().open(browser(), '/lists/new');
      await choose(
        page,
        'kunden.csv',
        'Kunde;Ort;E-Mail\nAnker;Köln;a@web.de\nBoje;Ulm;b@gmx.de\nKran;Hof;c@web.de\n',
      );
      const name = page.getByLabel('Name of the company');
      await page.getByText('“Kunde” is not used, and looks like text (Anker, Boje).').waitFor();
      expect(await name.inputValue()).toBe('');
      expect(await page.getByText('not used: text').count()).toBe(2);
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Use it as the name of the company' }).click();
      expect(await name.inputValue()).toBe('Kunde');
      expect(await page.getByText('is not used, and looks like').count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test('is dropped, its columns chosen, its cost seen, started once by two clicks, and watched to its end', async () => {
      const opened = await site().open(browser(), '/lists');
      const { page, errors } = opened;
      await page.getByText('There is no list yet').waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'New list' }).first().click();
      await page.getByRole('heading', { name: 'Which list?' }).waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await choose(page, 'leads.csv', companies);

      await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
      expect(await page.getByText('By their names and values').textContent()).toContain(
        'website of the company in “Site”',
      );
      const name = page.getByLabel('Name of the company');
      expect(await name.inputValue()).toBe('Account');
      expect(await name.locator('option').allInnerTexts()).toEqual(['No column', 'Account', 'Site', 'Note']);
      expect(await page.getByLabel('Check the e-mail addresses').isDisabled()).toBe(true);
      await name.selectOption('Note');
      await page.getByLabel('E-mail address', { exact: true }).selectOption('Note');
      await page.getByText('One column cannot be two things').waitFor();
      await page.getByLabel('E-mail address', { exact: true }).selectOption('');
      await name.selectOption('Account');
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-list-columns');
      await page.getByRole('button', { name: 'See what will become of it' }).click();

      await page.getByRole('heading', { name: 'What will become of it' }).waitFor();
      const preview = page.getByRole('region', { name: 'The first rows of the list' }).locator('tbody tr');
      expect(await preview.count()).toBe(12);
      expect(await textsOf(preview.nth(0))).toEqual(['2', 'Taken', 'nike.com', 'Nike', '–', '', '0.2']);
      expect(await textsOf(preview.nth(1))).toEqual([
        '3',
        'Same as line 2',
        'nike.com',
        'Nike again',
        '–',
        '',
        '0',
      ]);
      expect((await textsOf(preview.nth(2))).slice(0, 2)).toEqual(['4', 'Rejected']);
      expect(await costOf(page)).toBe('0 to 2 credits');
      await page.getByLabel('The first 10 rows only').check();
      expect(await costOf(page)).toBe('0 to 1.6 credits');
      await page.getByLabel('Budget in credits').fill('x');
      await page.getByText('Write an amount').waitFor();
      expect(await page.getByRole('button', { name: 'Start with the first 10 rows' }).isDisabled()).toBe(
        true,
      );
      await page.getByLabel('Budget in credits').fill('0.5');
      await page.getByText('The budget of 0.5 credits may not do for 8 lookups').waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-list-review');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download 1 rejected row' }).click();
      expect(readFileSync(await (await download).path(), 'utf8')).toBe(
        "line,reason,Account,Site,Note\n4,no company domain and no company name,,,'=1+2\n",
      );

      // Back and forth keeps what was said; a change asks anew.
      await page.getByRole('button', { name: 'Back' }).click();
      expect(await page.getByLabel('Website of the company').inputValue()).toBe('Site');
      await page.goBack();
      await page.getByRole('heading', { name: 'What will become of it' }).waitFor();
      expect(await page.getByLabel('Budget in credits').inputValue()).toBe('0.5');
      await page.getByLabel('Budget in credits').fill('');
      await page.getByRole('button', { name: 'Start with the first 10 rows' }).dblclick();

      await page.getByText('The first 10 rows are done', { exact: true }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('leads.csv');
      expect(page.url()).toMatch(/\/batches\/bat_\w+$/);
      expect(await outcome(page, 'With ads')).toBe('2');
      await keepPicture(page, 'batch-first-rows');
      await page.getByRole('button', { name: 'Go on …' }).click();
      expect(await readAxeFindings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      // The timeline may tell of it a moment before the figures do.
      const progress = page.getByRole('progressbar');
      await expect.poll(() => progress.getAttribute('aria-valuetext')).toBe('10 of 10 lookups');
      expect(await outcome(page, 'With ads')).toBe('2');
      await expect
        .poll(() => page.locator('.timeline li p:first-child').allInnerTexts())
        .toEqual([
          'Handed in by jane@example.com',
          'Read in whole; it may run',
          'Paused: the first 10 rows are done',
          'Went on by jane@example.com',
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
      await page.getByText('12 rows in all').waitFor();
      await page.getByLabel('Outcome').selectOption({ label: 'Ads found (3)' });
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
      const narrowed = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download what is shown' }).click();
      const kept = readFileSync(await (await narrowed).path(), 'utf8');
      expect(kept).toContain('Nike again,nike.com');
      expect(kept).not.toContain('nobody');

      // The next list with these columns is read the same way.
      await page.getByRole('link', { name: 'Lists' }).click();
      await page.getByRole('link', { name: 'New list' }).click();
      await choose(page, 'more.csv', 'Account,Site,Note\nPuma,puma.com,\n');
      await page.getByText('A list with these columns was handed in before: leads.csv').waitFor();
      expect(errors).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);
    });

    test('that was handed in before is charged again only when somebody says so', async () => {
      const list = 'website\nnike.com\nairbnb.com\n';
      const { page, errors } = await site().open(browser(), '/lists/new');
      const review = async () => {
        await choose(page, 'again.csv', list);
        await page.getByRole('button', { name: 'See what will become of it' }).click();
        await page.getByRole('heading', { name: 'What will become of it' }).waitFor();
      };
      const again = async () =>
        (await listed(site())).batches.filter((batch) => batch.file_name === 'again.csv');
      await review();
      await page.getByRole('button', { name: 'Start the list' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      const first = page.url();
      const { balanceMicro: left } = await site().balance();

      await page.goto(`${site().url}/lists/new`);
      await review();
      await page.getByText('You ran this file before').waitFor();
      expect(await page.getByRole('button', { name: 'Start the list' }).count()).toBe(0);
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-list-same-file');
      await page.getByRole('link', { name: 'Open it' }).click();
      await page.getByRole('heading', { name: 'again.csv' }).waitFor();
      expect(page.url()).toBe(first);
      expect(await again()).toHaveLength(1);

      await page.goto(`${site().url}/lists/new`);
      await review();
      await page.getByRole('button', { name: 'Only what is older than 7 days' }).dblclick();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect(await again()).toHaveLength(2);
      expect((await site().balance()).balanceMicro).toBe(left);

      await page.goto(`${site().url}/lists/new`);
      await review();
      await page.getByRole('button', { name: 'Run again for up to 0.4 credits' }).dblclick();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect(await again()).toHaveLength(3);
      expect(errors).toEqual([]);
    });

    test('that cannot be read says what is wrong, where, and what to do', async () => {
      const { page, errors } = await site().open(browser(), '/lists/new?step=review', { visitor: phone });
      await page.getByText('choose it again').waitFor();
      await choose(page, 'book.xlsx', 'PK\u0003\u0004rest');
      await page.getByText('Save the file as CSV (UTF-8) and try again').waitFor();
      await choose(page, 'broken.csv', 'company,website\nNike,nike.com\n"Ada,ada.com\nx,y.com\n');
      await page.getByRole('button', { name: 'See what will become of it' }).click();
      const reported = page.getByRole('alert').getByText('broken.csv, line 3: A quotation mark is opened');
      await reported.waitFor();
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'new-list-bad-file-phone');
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      // The browser itself says on the console that a request was answered 400.
      expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
    });

    test('is not lost when the session ends in the middle, nor started twice when the answer is lost', async () => {
      const person = { login: 'mid@example.com', role: 'member' as const };
      const by = { actor: 'test', address: null };
      await site().beginSession(person);
      const { userId } = await site().app.accounts.users.find(person.login);
      await site().app.accounts.users.setPassword(userId, await hashPassword('correct horse battery'), by);
      const { page, errors } = await site().open(browser(), '/lists/new', { person });
      await choose(page, 'kept.csv', 'website\nkept-one.com\nkept-two.com\n');
      await page.getByRole('button', { name: 'See what will become of it' }).click();
      await page.getByLabel('Budget in credits').fill('0.3');
      await site().app.accounts.sessions.endAll(userId, by);
      // The first answer goes lost on its way.
      const asked: (string | undefined)[] = [];
      await page.route(/max_credits/, async (route) => {
        asked.push(route.request().headers()['idempotency-key']);
        const answer = await route.fetch();
        if (answer.status() !== 201 || asked.length > 2) await route.fulfill({ response: answer });
        else await route.abort('connectionreset');
      });
      await page.getByRole('button', { name: 'Start the list' }).click();
      await page.getByText('What you have entered is still there').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('The server cannot be reached').waitFor();
      await page.getByRole('button', { name: 'Start the list' }).click();
      await page.getByRole('heading', { name: 'kept.csv' }).waitFor();
      expect([asked.length, new Set(asked).size]).toEqual([3, 1]);
      const { batches } = await listed(site());
      const kept = batches.filter((batch) => batch.file_name === 'kept.csv');
      expect(kept).toMatchObject([{ max_credits: 0.3, rows: { total: 2 } }]);
      expect(errors.filter((error) => !/status of 401|ERR_CONNECTION_RESET/.test(error))).toEqual([]);
    });
  });

  eachTestConsole(
    (site) => {
      test('that is worked on is the same in two tabs and after a reload, and both see its end', async () => {
        const key = await site().createKey();
        const rows = Array.from({ length: 300 }, (_, i) => ({ company_domain: `nobody-${i}.com` }));
        const answer = await site().call('POST', '/v1/batches', {
          key,
          json: { rows, file_name: 'night.csv' },
        });
        const { id } = answer.json() as { readonly id: string };
        const one = await site().open(browser(), `/batches/${id}`);
        const two = await site().open(browser(), `/batches/${id}`, { visitor: phone });
        for (const { page } of [one, two]) await page.getByText('0 of 300 lookups').first().waitFor();
        await one.page.getByRole('button', { name: 'Pause' }).click();
        await two.page.getByText('It is paused').waitFor();
        // From here on the second has to do without events: it asks by itself.
        await two.page.route('**/events', (route) => route.fulfill({ status: 503 }));
        await two.page.reload();
        await two.page.getByText('It is paused').waitFor();
        await two.page.getByText('Paused by jane@example.com').waitFor();
        expect(await readAxeFindings(two.page)).toEqual([]);
        await keepPicture(two.page, 'batch-paused-phone');
        expect(await two.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(
          true,
        );
        await two.page.getByRole('button', { name: 'Go on …' }).click();
        await two.page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click();
        await one.page.getByRole('button', { name: 'Pause' }).waitFor();
        await one.page.reload();
        await one.page.getByText('measuring …').first().waitFor();
        const workers = await runWorkers(site().app);
        onTestFinished(() => workers.close());
        for (const { page } of [one, two]) {
          await page.getByText('Finished', { exact: true }).first().waitFor();
          const progress = page.getByRole('progressbar');
          await expect.poll(() => progress.getAttribute('aria-valuetext')).toBe('300 of 300 lookups');
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

/** The cells of a row but the last, which is the row as it stands. */
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

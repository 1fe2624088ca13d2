import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { buildWorkbookFile, textRow } from '../../support/tables/build-workbook.ts';
import { listInFormats } from '../../support/tables/list-in-formats.ts';
import { readTable } from '../../support/tables/read-list.ts';

describeInBrowser('list file', (browser) => {
  const site = useTestConsole();

  test('of a workbook with two sheets shows its format and reads the sheet that the user picks', async () => {
    const { page, errors } = await site().open(browser(), '/batches/new');
    await choose(page, 'leads.xlsx', twoSheets());
    await page.getByText('leads.xlsx: Excel workbook, sheet “Leads”, 2 columns.').waitFor();
    expect(await page.getByLabel('Company website').inputValue()).toBe('Site');
    const sheet = page.getByLabel('Sheet');
    expect(await sheet.locator('option').allInnerTexts()).toEqual(['Leads', 'Partners', 'Old (hidden)']);
    await page.getByText('Columns look wrong?').click();
    expect(await page.getByLabel('Encoding').count()).toBe(0);
    expect(await page.getByLabel('Delimiter').count()).toBe(0);
    await expectAccessible(page, 'list-file-sheets');

    await sheet.selectOption('Partners');
    await page.getByText('leads.xlsx: Excel workbook, sheet “Partners”, 3 columns.').waitFor();
    expect(await page.getByLabel('Company name').inputValue()).toBe('Firma');
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
    await page.getByText('leads.xlsx: Excel workbook, sheet “Partners”').waitFor();
    await page.getByText('1 row is hidden in the sheet').waitFor();
    await page.getByText('1 cell has an error such as #N/A').waitFor();
    expect(await page.getByText('Only the sheet').count()).toBe(0);
    await expectAccessible(page, 'list-file-findings');
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByText('of sheet “Partners”').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Excel', exact: true }).click();
    const exported = await readTable(readFileSync(await (await download).path()));
    expect([exported.format, ...exported.header.slice(0, 4)]).toEqual([
      'xlsx',
      ...['Firma', 'Website', 'Umsatz', 'ads_outcome'],
    ]);
    expect(exported.rows.map((row) => row.slice(0, 4))).toEqual([
      ['Adidas', 'adidas.com', '', expect.any(String)],
      ['Airbnb', 'airbnb.com', '3', expect.any(String)],
    ]);
    expect(errors).toEqual([]);
  });

  test('of any format is read, also beyond the part that a text needs', async () => {
    const rows = Array.from({ length: 9_000 }, (_, i) => [`company-${i}.com`, incompressible(i)]);
    const files = listInFormats({ header: ['Website', 'Token'], rows });
    expect(files.every(({ content }) => content.length > 1024 * 1024)).toBe(true);
    const { page } = await site().open(browser(), '/batches/new');
    for (const { name, content } of files.filter(({ name: each }) => /^list/.test(each))) {
      await page.goto(`${site().url}/batches/new`);
      await choose(page, name, content);
      await page.getByText(new RegExp(`^${name}: .*, 2 columns\\.$`)).waitFor();
      expect([name, await page.getByLabel('Company website').inputValue()]).toEqual([name, 'Website']);
    }
  });

  test('is dropped anywhere on the page; a folder and several files get an error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-drop-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'lists'));
    writeFileSync(join(folder, 'leads.xlsx'), twoSheets());
    writeFileSync(join(folder, 'other.csv'), 'Site\nnike.com\n');
    const { page } = await site().open(browser(), '/batches/new');
    const zone = page.locator('.drop');
    await drag(page, 'dragEnter', [join(folder, 'lists')]);
    await drag(page, 'dragOver', [join(folder, 'lists')]);
    await expect.poll(() => zone.getAttribute('class')).toBe('drop over');
    await drag(page, 'drop', [join(folder, 'lists')]);
    await page.getByRole('alert').getByText('“lists” is a folder. Use a file from it.').waitFor();
    await expect.poll(() => zone.getAttribute('class')).toBe('drop');
    await drop(page, [join(folder, 'leads.xlsx'), join(folder, 'other.csv')]);
    await page.getByRole('alert').getByText('These are 2 files. Use one file at a time').waitFor();
    await expectAccessible(page, 'list-file-several');
    await drop(page, [join(folder, 'leads.xlsx')]);
    await page.getByText('leads.xlsx: Excel workbook, sheet “Leads”, 2 columns.').waitFor();
  });

  test('of a column in the field for rows needs no header', async () => {
    const { page } = await site().open(browser(), '/batches/new');
    await page.getByRole('button', { name: 'Paste rows' }).click();
    const rows = page.getByLabel('Rows', { exact: true });
    // A paste into a field stays there.
    await rows.focus();
    await paste(page, 'other.com', 'textarea');
    await rows.fill('nike.com\nadidas.com\n');
    await expectAccessible(page, 'list-file-paste');
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await page.getByText('Pasted rows, 1 column.').waitFor();
    expect(await page.getByLabel('Company website').inputValue()).toBe('company_domain');
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
    expect(await page.locator('.figures').innerText()).toMatch(/Companies\s+2/);
  });

  test('of a schedule is a workbook with a sheet to pick, or pasted rows', async () => {
    const { page, errors } = await site().open(browser(), '/schedules/new');
    await choose(page, 'leads.xlsx', twoSheets());
    await page.getByText('1 company. A scan costs').waitFor();
    await page.getByLabel('Sheet').selectOption('Partners');
    await page.getByText('2 companies. A scan costs').waitFor();
    await page.getByText('1 row is hidden in the sheet').waitFor();
    await expectAccessible(page, 'list-file-schedule');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { name: 'leads', level: 1 }).waitFor();
    await page.goto(`${site().url}/schedules/new`);
    await page.getByRole('heading', { name: 'New schedule' }).waitFor();
    await paste(page, 'nike.com\r\nAdidas AG\r\nairbnb.com\r\n');
    await page.getByText('3 companies. A scan costs').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Pasted rows');
    expect(errors).toEqual([]);
  });
});

function incompressible(seed: number): string {
  const digest = (part: number) => createHash('sha512').update(`${seed} ${part}`).digest('base64url');
  return digest(0) + digest(1);
}

/** Workbook with two visible sheets and a hidden one. The second one has a hidden row and an error. */
function twoSheets(): Buffer {
  return buildWorkbookFile({
    sheets: [
      { name: 'Leads', rows: textRow('Site', 'Note') + textRow('nike.com', 'first') },
      {
        name: 'Partners',
        rows:
          textRow('Firma', 'Website', 'Umsatz') +
          '<row><c t="inlineStr"><is><t>Adidas</t></is></c><c t="inlineStr"><is><t>adidas.com</t></is></c><c t="e"><v>#N/A</v></c></row>' +
          textRow('Airbnb', 'airbnb.com', '3').replace('<row', '<row hidden="1"'),
      },
      { name: 'Old', rows: textRow('Site') + textRow('old.com'), state: 'hidden' },
    ],
  });
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
}

async function drop(page: Page, files: readonly string[]): Promise<void> {
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await drag(page, type, files);
}

/** Drags files of the disk as the operating system does. */
async function drag(page: Page, type: 'dragEnter' | 'dragOver' | 'drop', files: readonly string[]) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  await session.send('Input.dispatchDragEvent', { type, x: 30, y: 400, data });
  await session.detach();
}

/** Pastes a text as a spreadsheet leaves it on the clipboard: with an image of the cells. */
async function paste(page: Page, text: string, selector = 'body'): Promise<void> {
  await page.evaluate(
    `{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      clipboardData.items.add(new File(['-'], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event);
    }`,
  );
}

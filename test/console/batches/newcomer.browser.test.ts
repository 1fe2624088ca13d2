import { expect, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { toolExports } from '../../support/csv/tool-exports.ts';

const fieldLabels: Readonly<Record<string, string>> = {
  company_domain: 'Company website',
  company_name: 'Company name',
  email: 'E-mail address',
};

describeInBrowser('first batch in the console', (browser) => {
  const site = useTestConsole();

  test.each(toolExports)(
    'detects the columns of a $tool export, and charges it once',
    async ({ file, content, columns }) => {
      const { page, errors } = await site().open(browser(), '/batches');
      const choose = async () => {
        await page.goto(`${site().url}/batches/new`);
        const chosen = { name: file, mimeType: 'text/csv', buffer: content };
        await page.locator('input[type=file]').setInputFiles(chosen);
        await page.getByRole('heading', { name: 'Choose columns' }).waitFor();
      };
      await choose();
      for (const [field, column] of Object.entries(columns))
        expect(await page.getByLabel(fieldLabels[field] ?? '', { exact: true }).inputValue()).toBe(column);
      await page.getByRole('button', { name: 'Review cost' }).click();
      await page.getByText('These ads are generated.').waitFor();
      await page.getByRole('button', { name: 'Start batch' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(file);
      await page.getByText('Sample data').first().waitFor();
      const { balanceMicro } = await site().balance();

      await choose();
      await page.getByRole('button', { name: 'Review cost' }).click();
      await page.getByText('You already ran this file').waitFor();
      expect(await page.getByRole('button', { name: 'Start batch' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Open batch' }).click();
      await page.getByText('Finished', { exact: true }).first().waitFor();
      expect((await site().balance()).balanceMicro).toBe(balanceMicro);
      expect(await site().findings()).toEqual([]);
      expect(errors).toEqual([]);
    },
  );
});

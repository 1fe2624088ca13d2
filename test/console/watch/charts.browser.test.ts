import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { markLabels, dayMarks } from '../../../src/console/components/charts/day-axis.ts';
import { formatDay, listDays } from '../../../src/console/components/dates/days.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectApart } from '../../support/browser/label-boxes.ts';
import { keepPicture, outsideRequests, useTestConsole } from '../../support/browser/test-console.ts';
import { contrastOf } from '../../support/reports/contrast.ts';
import { readPaints } from '../../support/reports/read-charts.ts';
import { dayAgo } from '../../support/stand-in/rival-ads.ts';
import type { StandInAd } from '../../support/stand-in/stand-in-ads.ts';

const companies = Array.from({ length: 8 }, (_, i) => `company-${i + 1}.com`);
/** Days since the first ad of every company. */
const oldestDays = 40;
const phone = { width: 360, height: 740 };

describeInBrowser('charts of a batch', (browser) => {
  const site = useTestConsole({ ads: (company) => adsOf(companies.indexOf(company)) });
  let path = '';

  beforeAll(async () => {
    const key = await site().createKey();
    const batch = await uploadBatch(site(), key, `company_domain\n${companies.join('\n')}\n`);
    await waitForState(site(), key, batch, 'finished');
    path = `/charts?batch=${batch}`;
  });

  test('cover the chosen range, which ends today, on any width', async () => {
    const opened = await site().open(browser(), path);
    const { page, errors } = opened;
    const chart = lineChart(page);
    await expectDays(chart, 90);
    await page.getByLabel('Time range').selectOption('30 days');
    await expectDays(chart, 30);
    expect(page.url()).toContain('days=30');
    await keepPicture(page, 'charts-batch');
    await page.setViewportSize(phone);
    await expect.poll(async () => (await chart.boundingBox())?.width ?? 0).toBeLessThan(phone.width);
    await expectDays(chart, 30);
    await expectApart(chart.locator('.end'));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    await keepPicture(page, 'charts-batch-phone');
    expect(errors).toEqual([]);
    expect(outsideRequests(opened, site().url)).toEqual([]);
  });

  test('name each line at its end, and draw the chosen companies, which the address keeps', async () => {
    const { page } = await site().open(browser(), path);
    const chart = lineChart(page);
    const ends = chart.locator('.end');
    const picks = page.getByRole('group', { name: 'Companies' });
    // The first five, by their number of ads.
    await expect.poll(() => ends.allTextContents()).toEqual(endsOf(8, 7, 6, 5, 4));
    await picks.getByLabel('company-7.com').uncheck();
    await picks.getByLabel('company-1.com').check();
    await expect.poll(() => ends.allTextContents()).toEqual(endsOf(8, 6, 5, 4, 1));
    await expectApart(ends);
    await page.reload();
    await expect.poll(() => ends.allTextContents()).toEqual(endsOf(8, 6, 5, 4, 1));
    for (const n of [8, 6, 5, 4]) await picks.getByLabel(`company-${n}.com`).uncheck();
    await expect.poll(() => ends.allTextContents()).toEqual(endsOf(1));
    expect(new URL(page.url()).searchParams.get('companies')).toBe('company-1.com');
    expect(await picks.getByLabel('company-1.com').isDisabled()).toBe(true);
    expect(await chart.locator('path.line').count()).toBe(1);
  });

  test('show the values of a day under the pointer, by arrow keys and in a table', async () => {
    const { page } = await site().open(browser(), `${path}&days=30&companies=company-8.com,company-2.com`);
    const chart = lineChart(page);
    const tooltip = chart.locator('.tooltip');
    const box = (await chart.boundingBox()) ?? expect.unreachable();
    await chart.scrollIntoViewIfNeeded();
    expect(await tooltip.count()).toBe(0);
    await chart.hover({ position: { x: 50, y: box.height / 2 } });
    await expect
      .poll(() => linesOf(tooltip))
      .toEqual([formatDay(dayAgo(29)), 'company-8.com 8', 'company-2.com 2']);
    await page.getByRole('heading', { name: 'Charts', level: 1 }).hover();
    await expect.poll(() => tooltip.count()).toBe(0);

    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => linesOf(tooltip))
      .toEqual([formatDay(dayAgo(0)), 'company-8.com 8', 'company-2.com 2']);
    await page.keyboard.press('ArrowLeft');
    const yesterday = `${formatDay(dayAgo(1))}: company-8.com 8, company-2.com 2`;
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toBe(yesterday);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'charts-tooltip');
    await page.keyboard.press('Home');
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('0');
    await page.keyboard.press('Escape');
    await expect.poll(() => tooltip.count()).toBe(0);

    const figure = page.locator('figure', { has: chart });
    await figure.getByText('Show as table').click();
    expect(await figure.locator('tbody tr').count()).toBe(30);
    const cells = await figure.locator('tbody tr').first().locator('th, td').allInnerTexts();
    expect(cells).toEqual([formatDay(dayAgo(0)), '8', '2']);
  });

  test.each(['light', 'dark'] as const)('have enough contrast in %s mode', async (colorScheme) => {
    const all = `${path}&companies=${companies.join(',')}`;
    const { page } = await site().open(browser(), all, { visitor: { colorScheme } });
    await expect.poll(() => lineChart(page).locator('.end').count()).toBe(companies.length);
    await lineChart(page).focus();
    await page.keyboard.press('End');
    const paints = await readPaints(page.locator('.chart'));
    expect(paints.length).toBeGreaterThan(3 * companies.length);
    // WCAG 2.2 §1.4.3 for the coloured labels, which have the colours of their lines (§1.4.11: 3).
    expect(paints.filter(({ paint, background }) => contrastOf(paint, background) < 4.5)).toEqual([]);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, `charts-all-${colorScheme}`);
  });
});

function lineChart(page: Page): Locator {
  return page.getByRole('slider', { name: 'Active ads over time' });
}

/** Expects the day labels of a range that ends today. */
async function expectDays(chart: Locator, count: number): Promise<void> {
  const days = listDays(dayAgo(count - 1), dayAgo(0));
  await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe(String(count - 1));
  const plotPixels = await chart
    .locator('.axis line')
    .first()
    .evaluate(
      (line: { getAttribute: (name: string) => string }) =>
        Number(line.getAttribute('x2')) - Number(line.getAttribute('x1')),
    );
  const labels = markLabels(dayMarks(days, plotPixels).map((mark) => days[mark] ?? ''));
  expect(await chart.locator('.day-mark').allTextContents()).toEqual(labels);
  await expectApart(chart.locator('.day-mark'));
}

function endsOf(...numbers: readonly number[]): readonly string[] {
  return numbers.map((n) => `company-${n}.com ${n}`);
}

/** Returns the day of a tooltip, and its rows as text. */
async function linesOf(tooltip: Locator): Promise<readonly string[]> {
  const [day = ''] = await tooltip.locator('strong').allInnerTexts();
  const rows = await tooltip.locator('li').allInnerTexts();
  return [day, ...rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())];
}

/** The nth company has n ads, all from the first day until today. */
function adsOf(index: number): readonly StandInAd[] {
  return Array.from({ length: index + 1 }, (_, i) => ({
    advertiser_id: `AR-${index}`,
    creative_id: `CR-${index}-${i}`,
    advertiser_name: `Company ${index + 1}`,
    variants: [{ content: 'An ad', height: 209, width: 348 }],
    start: dayAgo(oldestDays),
    last_seen: dayAgo(0),
    ...{ format: 'Text', headline: `Ad ${i + 1}`, description: 'An ad', ad_type: 'text' },
    ...{
      display_url: 'example.com',
      final_url: 'https://example.com/',
      original_url: 'https://example.com/',
    },
  }));
}

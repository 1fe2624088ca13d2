import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../db/connection/client.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { contrastOf, luminanceOf, readTexts } from '../../support/reports/contrast.ts';
import { openTestPools } from '../../support/db/database.ts';
import { useTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import { writeHistory, type ScanHistory } from '../../support/history/write-history.ts';
import { readMarks, readPaints } from '../../support/reports/read-charts.ts';
import { vectors } from '../../support/xss/vectors.ts';

const kinds = ['schedule', 'batch'] as const;

describeInBrowser('report in a browser', (browser) => {
  const cli = useTestCli({ inProcess: true });
  let history: ScanHistory;

  beforeAll(async () => {
    const { id: batch } = (await cli().ask(['demo'])) as { id: string };
    history = await withOwner(cli(), (owner) => writeHistory(owner));
    await cli().ask(['report', batch, '-o', 'batch.html']);
    await cli().ask(['report', history.schedule.name, '-o', 'schedule.html']);
  });

  const open = (name: string, visitor?: BrowserContextOptions) =>
    browser().open(pathToFileURL(join(cli().folder, `${name}.html`)).href, visitor);

  describe.each(kinds)('of a %s', (kind) => {
    test('has no error, violates no policy, and makes no requests', async () => {
      const { page, errors, requests } = await open(kind);
      for (const section of await page.locator('section').all()) await section.scrollIntoViewIfNeeded();
      expect(errors).toEqual([]);
      expect(requests).toEqual([pathToFileURL(join(cli().folder, `${kind}.html`)).href]);
    });

    test.runIf(kind === 'batch')('has the drawn pictures of the sample', async () => {
      const { page } = await open(kind);
      await unfold(page);
      const picture = page.locator('img.creative').first();
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth))
        .toBeGreaterThan(300);
    });

    test.each(['light', 'dark'] as const)(
      'has enough contrast in %s mode, in texts and charts',
      async (scheme) => {
        const { page } = await open(kind, { colorScheme: scheme });
        await unfold(page);
        const texts = await readTexts(page);
        expect(texts.length).toBeGreaterThan(100);
        const faint = texts.filter(({ color, background }) => contrastOf(color, background) < 4.5);
        expect(faint).toEqual([]);
        const isDark = texts.map(({ color, background }) => luminanceOf(color) > luminanceOf(background));
        expect(new Set(isDark)).toEqual(new Set([scheme === 'dark']));
        const paints = await readPaints(page);
        expect(paints.length).toBeGreaterThan(5);
        // WCAG 2.2 §1.4.11: the parts of a chart that carry meaning.
        expect(paints.filter(({ paint, background }) => contrastOf(paint, background) < 3)).toEqual([]);
      },
    );

    test('has no serious accessibility violation', async () => {
      const { page } = await open(kind, { colorScheme: 'light' });
      await unfold(page);
      expect(await readAxeFindings(page)).toEqual([]);
    });

    test('fits a screen of 360 pixels; wide tables scroll', async () => {
      const { page } = await open(kind, { viewport: { width: 360, height: 740 }, isMobile: true });
      await unfold(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });

    test('has a language, one main heading, and a caption for every table', async () => {
      const { page } = await open(kind);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.title()).toContain('Nightshift');
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('main').count()).toBe(1);
      const tables = await page.locator('table').count();
      expect(tables).toBeGreaterThan(4);
      expect(await page.locator('table > caption').count()).toBe(tables);
    });

    test('prints without filters, with nothing cut off and everything unfolded', async () => {
      const { page } = await open(kind, { viewport: { width: 520, height: 740 } });
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.filters:visible, summary:visible').count()).toBe(0);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      const cut = await page
        .locator('.scroll')
        .evaluateAll(
          (boxes: { scrollWidth: number; clientWidth: number }[]) =>
            boxes.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        );
      expect(cut).toBe(0);
      const folded = page.locator('details table');
      for (const each of await folded.all()) expect(await each.isVisible()).toBe(true);
      expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    });

    test('begins with one page of A4, and continues on the next', async () => {
      const { page } = await open(kind, { viewport: paper });
      await page.emulateMedia({ media: 'print' });
      expect(await readFrontBottom(page)).toBeLessThan(paper.height);
      const contents = page.getByRole('navigation', { name: 'Contents' });
      for (const link of await contents.getByRole('link').all()) {
        const target = (await link.getAttribute('href')) ?? '';
        expect(await page.locator(`section${target}`).count(), target).toBe(1);
      }
      // What follows the first page begins a page of its own.
      const first = await countPages(page, 'main > :not(.front), body > footer { display: none; }');
      expect(first).toBe(1);
      expect(await countPages(page, '')).toBeGreaterThan(first);
    });
  });

  describe('charts of thirty scans', () => {
    test('have a line for each of six companies, within the drawing and to scale', async () => {
      const { page } = await open('schedule');
      const chart = page.getByRole('img', { name: 'Active ads over time' });
      const marks = await readMarks(chart);
      expect(marks.lines).toHaveLength(6);
      expect(marks.dots).toBeGreaterThan(150);
      for (const { points } of marks.lines) {
        expect(points).toHaveLength(30);
        expect(points.filter(([x, y]) => x < 0 || x > marks.width || y < 0 || y > marks.height)).toEqual([]);
      }
      await unfold(page);
      const [last] = await readRows(page, '#activity-numbers');
      const counts = last?.slice(1).map(Number) ?? [];
      expect(counts).toHaveLength(6);
      const perAd = marks.lines.map(
        ({ points }, i) => (marks.zero - (points.at(-1)?.[1] ?? 0)) / (counts[i] ?? 0),
      );
      for (const each of perAd) expect(each).toBeCloseTo(perAd[0] ?? 0, 1);
    });

    test('show started ads above the line and ended ads below it', async () => {
      const { page } = await open('schedule');
      const { columns, width, height } = await readMarks(
        page.getByRole('img', { name: 'New and ended ads' }),
      );
      expect(columns.length).toBeGreaterThan(20);
      for (const { points } of columns) {
        expect(points.filter(([x, y]) => x < 0 || x > width || y < 0 || y > height)).toEqual([]);
      }
      const bottoms = columns
        .filter(({ name }) => name === 'begun')
        .map(({ points }) => Math.max(...points.map(([, y]) => y)));
      const tops = columns
        .filter(({ name }) => name === 'ended')
        .map(({ points }) => Math.min(...points.map(([, y]) => y)));
      expect(new Set([...bottoms, ...tops]).size).toBe(1);
      await unfold(page);
      const rows = await readRows(page, '#balance-numbers');
      const ended = rows.reduce((sum, row) => sum + Number(row[2]), 0);
      expect(ended).toBe(await countRows(page, 'Ended'));
    });

    test('distinguish lines without colours', async () => {
      const { page } = await open('schedule');
      await page.emulateMedia({ media: 'print' });
      const dashes = await page
        .locator('.chart .line')
        .evaluateAll((all: unknown[]) => all.map((line) => getComputedStyle(line).strokeDasharray));
      expect(new Set(dashes).size).toBe(6);
      const fill = (name: string) =>
        page
          .locator(`.chart .${name}`)
          .first()
          .evaluate((one: unknown) => getComputedStyle(one).fill);
      expect([await fill('begun'), await fill('ended')]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    });

    test('have bars to scale', async () => {
      const { page } = await open('schedule');
      const bars = await page
        .locator('table.bars')
        .first()
        .locator('tbody tr')
        .evaluateAll((rows: Row[]) =>
          rows.map((row) => [
            Number(row.lastElementChild.textContent),
            row.querySelector('path').getBBox().width,
          ]),
        );
      const [[most = 0] = []] = bars;
      expect(bars.length).toBe(3);
      for (const [count = 0, width = 0] of bars) expect(width).toBeCloseTo((100 * count) / most, 0);
    });
  });

  describe('filters of changes', () => {
    test('open with the choices of the address, search for a label that is not offered, and are cleared', async () => {
      const at = pathToFileURL(join(cli().folder, 'schedule.html')).href;
      const { page, errors } = await browser().open(`${at}#kind=new&company=puma+se&format=Image&other=x`);
      const rows = await readShown(page);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map((row) => [row[1], row[2]?.startsWith('PUMA SE'), row[4]])).toEqual(
        rows.map(() => ['New', true, 'Image']),
      );
      expect(await page.evaluate<boolean>('scrollY > 0')).toBe(true);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(async () => (await readShown(page)).length).toBe(history.news);
      expect(errors).toEqual([]);

      const { page: other } = await browser().open(`${at}#company=trail&period=this+week`);
      expect(await other.getByLabel('Search').inputValue()).toContain('trail');
      expect(await other.getByLabel('Period').locator('option:checked').innerText()).toBe('This week');
      const week = await readShown(other);
      await other.getByLabel('Period').selectOption('All days');
      const all = await readShown(other);
      expect(all.length).toBeGreaterThan(week.length);
      expect(all.every((row) => row.join(' ').toLowerCase().includes('trail'))).toBe(true);
    });

    test('show the rows of the chosen kind, company, format and text, and their number', async () => {
      const { page } = await open('schedule');
      const count = page.locator('#changes-table-shown');
      const all = await readShown(page);
      expect(all).toHaveLength(history.news);
      expect(await count.innerText()).toBe('');

      for (const kind of ['Back', 'Changed', 'Ended']) await page.getByLabel(kind, { exact: true }).uncheck();
      const begun = await readShown(page);
      expect(begun.map((row) => row[1])).toEqual(all.map((row) => row[1]).filter((kind) => kind === 'New'));
      expect(await count.innerText()).toBe(`${begun.length} of ${all.length} changes shown.`);

      await page.getByLabel('Company').selectOption('PUMA SE');
      const ofPuma = await readShown(page);
      expect(ofPuma).toEqual(begun.filter((row) => row[2]?.startsWith('PUMA SE')));
      expect(ofPuma.length).toBeGreaterThan(1);

      await page.getByLabel('Format').selectOption('Image');
      expect(await readShown(page)).toEqual(ofPuma.filter((row) => row[4] === 'Image'));
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => readShown(page)).toEqual(all);

      await page.getByLabel('Search').fill('TRAIL puma');
      const found = await readShown(page);
      expect(found).toEqual(all.filter((row) => /trail/i.test(row[3] ?? '') && /puma/i.test(row.join(' '))));
      expect(found.length).toBeGreaterThan(0);
      await page.getByLabel('Search').fill('no such word');
      expect(await count.innerText()).toBe(`0 of ${all.length} changes shown.`);
    });

    test('work with the keyboard alone, and Enter submits nothing', async () => {
      const { page, errors } = await open('schedule');
      const stops: string[] = [];
      const filters = page.locator('form.filters').first();
      await filters.locator('input').first().focus();
      for (let i = 0; i < 9; i += 1) {
        stops.push(
          await page.evaluate<string>(`(() => {
          const { name, localName } = document.activeElement;
          return (name || localName) + ' ' + getComputedStyle(document.activeElement).outlineStyle;
        })()`),
        );
        await page.keyboard.press('Tab');
      }
      expect(stops.map((stop) => stop.split(' ')[0])).toEqual([
        'kind',
        'kind',
        'kind',
        'kind',
        'company',
        'format',
        'period',
        'text',
        'button',
      ]);
      expect(stops.filter((stop) => stop.endsWith(' none'))).toEqual([]);
      await page.getByLabel('New', { exact: true }).focus();
      await page.keyboard.press('Space');
      expect((await readShown(page)).some((row) => row[1] === 'New')).toBe(false);
      await page.getByLabel('Search').focus();
      await page.keyboard.press('Enter');
      expect(errors).toEqual([]);
      expect(page.url()).toContain('schedule.html');
    });

    test('are hidden without scripts, and the table is complete', async () => {
      const withScript = cli().read('schedule.html');
      cli().write('still.html', withScript.replace(/<script>[^]*?<\/script>/, ''));
      const { page, errors } = await open('still');
      expect(errors).toEqual([]);
      expect(await page.locator('form.filters:visible').count()).toBe(0);
      expect(await page.locator('#changes-table tbody tr:visible').count()).toBe(history.news);
    });
  });
});

describeInBrowser('report of a history with hostile texts', (browser) => {
  const cli = useTestCli({ inProcess: true, sample: false });
  let history: ScanHistory;
  let used = 0;

  beforeAll(async () => {
    const next = () => vectors[used++ % vectors.length]?.text ?? '';
    history = await withOwner(cli(), (owner) => writeHistory(owner, (_place, plain) => next() + plain));
  });

  test.each([
    ['schedule', 'without pictures', []],
    ['schedule', 'with pictures', ['--images']],
    ['batch', 'without pictures', []],
    ['batch', 'with pictures', ['--images']],
  ])('of a %s, %s, executes nothing and adds no elements', async (kind, _with, options) => {
    expect(used).toBeGreaterThan(2 * vectors.length);
    const named = kind === 'batch' ? history.lastBatch : history.schedule.publicId;
    await cli().ask(['report', named, '-o', 'hostile.html', ...options]);
    const { page, errors, requests } = await browser().open(
      pathToFileURL(join(cli().folder, 'hostile.html')).href,
      { viewport: paper },
    );
    expect(errors).toEqual([]);
    expect(requests.slice(1)).toEqual([]);
    expect(await page.locator('script, style, iframe, object, embed, link, base, form, img').count()).toBe(
      (await page.locator('form.filters').count()) + 2,
    );
    const names = await page
      .locator('*')
      .evaluateAll((all: { getAttributeNames: () => string[] }[]) => [
        ...new Set(all.flatMap((one) => one.getAttributeNames())),
      ]);
    expect(names.filter((name) => name.startsWith('on') || name === 'style')).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await readFrontBottom(page)).toBeLessThan(paper.height);
  });
});

/** Printable part of a page of A4 with the margins of a report, in CSS pixels. */
const paper = { width: Math.floor(((210 - 28) / 25.4) * 96), height: Math.floor(((297 - 24) / 25.4) * 96) };

/** Reads the end of the first page, in pixels from the top. */
async function readFrontBottom(page: Page): Promise<number> {
  const box = await page.locator('.front').boundingBox();
  return box === null ? Infinity : box.y + box.height;
}

/** Counts the pages of the document on A4, with an additional style. */
async function countPages(page: Page, style: string): Promise<number> {
  const added = await page.evaluateHandle(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(style)});
    document.adoptedStyleSheets = [sheet];
  })()`);
  await added.dispose();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

/** Uses the database as its owner. */
async function withOwner<T>(cli: TestCli, use: (owner: Database) => Promise<T>): Promise<T> {
  const pools = openTestPools(cli.environment['DATABASE_URL'] ?? '');
  try {
    return await use(pools.owner);
  } finally {
    await pools.close();
  }
}

interface Row {
  readonly lastElementChild: { readonly textContent: string };
  readonly querySelector: (name: string) => { readonly getBBox: () => { readonly width: number } };
}
declare function getComputedStyle(element: unknown): {
  readonly strokeDasharray: string;
  readonly fill: string;
};

async function unfold(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all: { open: boolean }[]) => {
    for (const details of all) details.open = true;
  });
}

/** Reads the visible rows of changes, cell by cell. */
function readShown(page: Page): Promise<readonly (readonly string[])[]> {
  return readRows(page, '#changes-table');
}

async function readRows(page: Page, table: string): Promise<readonly (readonly string[])[]> {
  return page
    .locator(`${table} tbody tr:not([hidden])`)
    .evaluateAll((rows: { cells: Iterable<{ textContent: string }> }[]) =>
      rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())),
    );
}

async function countRows(page: Page, kind: string): Promise<number> {
  return (await readShown(page)).filter((row) => row[1] === kind).length;
}

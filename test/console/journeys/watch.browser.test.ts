import { expect, onTestFinished, test, vi } from 'vitest';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { pasteText, startJourney } from '../../support/browser/journey.ts';
import { openTestConsole, outsideRequests, type TestConsole } from '../../support/browser/test-console.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { openMailServer } from '../../support/events/mail-server.ts';
import { adOf } from '../../support/stand-in/rival-ads.ts';
import type { StandInAd } from '../../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

describeInBrowser('journeys of schedules', (browser) => {
  test('a weekly schedule sends an e-mail about its scan', async () => {
    const { url, mails } = await openMailServer();
    const site = await openTestConsole({
      settings: { NIGHTSHIFT_SMTP_URL: url, NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' },
    });
    onTestFinished(site.close);
    const journey = startJourney(browser(), 'Schedule a weekly scan with e-mail');
    const vera = { login: 'vera@example.com', role: 'member' as const };
    const page = await journey.begin(site, vera);
    await page.getByRole('link', { name: 'Watch', exact: true }).click();
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    await page.getByRole('heading', { name: 'New schedule' }).waitFor();
    await pasteText(page, 'Company\tWebsite\r\nNike\tnike.com\r\nAirbnb\tairbnb.com\r\n');
    await page.getByText('2 companies. A scan costs').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('rivals');
    await page.getByLabel('Frequency').selectOption('Once a week');
    await page.getByText(/At 02:00, only on Monday/).waitFor();
    await page.getByLabel('E-mail me at vera@example.com when a scan finds changes or fails').check();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { name: 'rivals', level: 1 }).waitFor();
    expect(await page.locator('.page-head .lead code').innerText()).toBe('0 2 * * 1');
    await page.getByRole('button', { name: 'Run now …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await expect.poll(() => mails.length, { timeout: waitMsMax }).toBe(1);
    const [mail] = mails;
    expect(mail?.to).toEqual([vera.login]);
    expect(mail?.source).toContain('rivals');
    await page.getByText('Finished', { exact: true }).waitFor();
    await journey.end();
  });

  test('the new video ads of a rival in this week are found, and shared by a link that shows only them', async () => {
    const week = createWeek();
    const site = await openTestConsole({ ads: week.ads });
    onTestFinished(site.close);
    const schedule = await addSchedule(site);
    await schedule.scan();
    week.next();
    await schedule.scan();
    await age(site, 10);
    for (let i = 0; i < 2; i += 1) {
      week.next();
      await schedule.scan();
    }

    const journey = startJourney(browser(), 'Find the new video ads of a rival this week, and share them');
    const page = await journey.begin(site);
    await page.getByRole('link', { name: 'New this week' }).click();
    await page.getByRole('heading', { name: 'globex.com: 1 new', level: 3 }).waitFor();
    await page.getByLabel('Company').fill('acme.com');
    await page.getByLabel('Company').press('Enter');
    await page.getByRole('heading', { name: /^globex/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Ad format').selectOption('Video');
    const cards = page.getByRole('list', { name: 'acme.com' }).getByRole('listitem');
    await expect.poll(() => cards.locator('h4').allInnerTexts()).toEqual(newVideos);
    await page.getByRole('button', { name: 'Share report …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('with these filters').waitFor();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.locator('pre code').innerText();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('link copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await journey.end();

    const stranger = await browser().open(link);
    expect(await stranger.page.context().cookies()).toEqual([]);
    const rows = stranger.page.locator('#changes-table tbody tr:visible');
    expect(await rows.count()).toBe(newVideos.length);
    const texts = await rows.allInnerTexts();
    expect(newVideos.filter((headline) => texts.some((text) => text.includes(headline)))).toEqual(newVideos);
    await stranger.page.getByText('2 of 6 changes shown.').waitFor();
    await expect
      .poll(() => stranger.page.evaluate<boolean>('scrollY > 0'), { message: 'the changes are in view' })
      .toBe(true);
    expect(stranger.errors).toEqual([]);
    expect(outsideRequests(stranger, site.url)).toEqual([]);
  });
});

/** The ads of this week that the journey looks for, newest first. */
const newVideos = ['Anvils in slow motion', 'Rockets, the film'];

/** Ads of two rivals in four scans: each scan has one to three new ads. The ads of the first two are older than a week. */
function createWeek() {
  const video = { format: 'Video', days: 1 };
  const begun: readonly (readonly StandInAd[])[] = [
    [adOf('acme.com', 'Anvils, now lighter', {}), adOf('globex.com', 'Everlasting pipes', {})],
    [adOf('acme.com', 'A film of last week', video)],
    [
      adOf('acme.com', 'Rockets, the film', video),
      adOf('acme.com', 'Magnets that wait', { format: 'Image', days: 1 }),
      adOf('globex.com', 'Pipes, the film', video),
    ],
    [adOf('acme.com', 'Anvils in slow motion', video), adOf('acme.com', 'Words about video', { days: 1 })],
  ];
  let scan = 0;
  return {
    next: () => void (scan += 1),
    ads: (company: string) =>
      begun
        .slice(0, scan + 1)
        .flat()
        .filter(({ display_url: domain }) => domain === company),
  };
}

/** Adds a schedule of the two rivals. */
async function addSchedule(site: TestConsole) {
  const key = await site.createKey();
  const json = {
    name: 'rivals',
    cron: '0 2 * * *',
    rows: ['acme.com', 'globex.com'].map((company_domain) => ({ company_domain })),
  };
  const added = await site.call('POST', '/v1/schedules', { key, json });
  expect(added.status, added.text).toBe(201);
  const { id } = added.json() as { readonly id: string };

  async function countEvaluated(): Promise<number> {
    const answer = await site.call('GET', `/v1/schedules/${id}/scans`, { key });
    const { scans } = answer.json() as { readonly scans: readonly { readonly changes: unknown }[] };
    return scans.filter(({ changes }) => changes !== null).length;
  }

  return {
    /** Runs the schedule once, and waits for its changes. */
    scan: async () => {
      const before = await countEvaluated();
      expect((await site.call('POST', `/v1/schedules/${id}/run`, { key })).status).toBe(201);
      await vi.waitUntil(async () => (await countEvaluated()) > before, {
        timeout: waitMsMax,
        interval: 100,
      });
    },
  };
}

/** Makes the record and its changes this many days older. */
async function age({ database }: TestConsole, days: number): Promise<void> {
  await ageRecord(database, days);
  const older = ['observed_at', 'created_at'].map(
    (column) => `${column} = ${column} - interval '${days} days'`,
  );
  await database.owner.pool.query(
    unguarded('ad_changes', `UPDATE nightshift.ad_changes SET ${older.join(', ')}`),
  );
}

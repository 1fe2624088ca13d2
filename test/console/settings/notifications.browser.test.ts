import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitForState } from '../../support/api/uploaded-batch.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import {
  openTestConsole,
  outsideRequests,
  useTestConsole,
  type TestConsole,
} from '../../support/browser/test-console.ts';
import { openMailServer, type ReceivedMail } from '../../support/events/mail-server.ts';
import { openReceiver } from '../../support/events/receiver.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const operator = { login: 'olga@example.com', role: 'operator' as const };

describeInBrowser('notifications', (browser) => {
  test('a mailbox is added, confirmed by its link, tested, and receives the event of a batch', async () => {
    const { site, mails } = await openSite();
    const opened = await site.open(browser(), '/');
    const { page, errors } = opened;
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByText('No notifications yet').waitFor();
    await expectAccessible(page, 'notifications-empty');
    await page.getByRole('link', { name: 'Add target' }).first().click();
    await page.getByLabel('E-mail address').fill('jane@example.com');
    await page.getByLabel('Name', { exact: true }).fill('Jane');
    await page.getByLabel('Credits are low').uncheck();
    await expectAccessible(page, 'notification-new');
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByText('Open the link that was sent to jane@example.com').waitFor();
    await page.getByRole('button', { name: 'Send link again' }).click();
    await page.getByText('The link was sent to jane@example.com.').waitFor();
    await expectAccessible(page, 'notification-unconfirmed');

    const { pathname } = linkIn(mails.at(-1));
    const target = page.url();
    await page.goto(`${site.url}${pathname}`);
    await page.getByRole('button').click();
    await page.getByText('jane@example.com').waitFor();
    await page.goto(target);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('A test message was sent to jane@example.com.').waitFor();
    expect(mails).toHaveLength(3);

    await upload(site);
    await expect.poll(() => mails.length).toBe(4);
    await waitForDelivery(page, /A batch finished[^]*Delivered[^]*250/);
    await expectAccessible(page, 'notification');
    expect(errors).toEqual([]);
    expect(outsideRequests(opened, site.url)).toEqual([]);
  });

  test('a program gets its secret once, shows failed deliveries and gets them again', async () => {
    const receiver = await openReceiver();
    const { site } = await openSite();
    const { page } = await site.open(browser(), '/account/notifications/new');
    await page.getByLabel('Kind').selectOption('Program (webhook)');
    await page.getByLabel('URL').fill('https://169.254.169.254/latest');
    await page.getByLabel('Name', { exact: true }).fill('crm');
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByText('its host is not public').waitFor();
    await expect.poll(() => page.locator('input[aria-invalid]:focus').count()).toBe(1);
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add target' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('pre code').innerText();
    await expectAccessible(page, 'notification-secret');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'crm', level: 1 }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The target answered 204.').waitFor();
    const { headers = {}, body = '' } = receiver.calls[0] ?? {};
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'test',
    });
    receiver.next(500, 410);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(`${receiver.host} answered 500`).waitFor();
    await upload(site);
    await receiver.received(3);
    await waitForDelivery(page, /A batch finished[^]*Dead[^]*410/);
    await page.getByText('Disabled: it wants no more events').waitFor();
    await expectAccessible(page, 'notification-disabled');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Send dead ones again' }).click();
    await receiver.received(4);

    await page.getByRole('button', { name: 'Replace secret …' }).click();
    await dialog.getByRole('button', { name: 'Replace secret' }).click();
    await dialog.locator('pre code').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Previous secret').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('Leave empty to keep it.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('sales');
    await page.getByLabel('Credits are low').uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'sales', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByRole('link', { name: 'sales', exact: true }).waitFor();
    await expectAccessible(page, 'notifications');
    await page.getByRole('link', { name: 'sales', exact: true }).click();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await dialog.getByRole('button', { name: 'Remove target' }).click();
    await page.getByText('No notifications yet').waitFor();
  });

  test('a schedule and a batch with the tick box send mail to their user only', async () => {
    const { site, mails } = await openSite();
    const person = { login: 'vera@example.com', role: 'member' as const };
    const { page, errors } = await site.open(browser(), '/schedules/new', { person });
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await page.getByLabel('Rows', { exact: true }).fill('nike.com\nairbnb.com');
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await page.getByLabel('Name', { exact: true }).fill('rivals');
    await page.getByLabel('E-mail me at vera@example.com when a scan finds changes or fails').check();
    await expectAccessible(page, 'schedule-new-mail');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { name: 'rivals', level: 1 }).waitFor();
    const tick = page.getByLabel('E-mail me at vera@example.com');
    expect(await tick.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Run now …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await expect.poll(() => mails.length, { timeout: waitMsMax }).toBe(1);
    expect([mails[0]?.to, mails[0]?.source]).toEqual([[person.login], expect.stringContaining('scan of 20')]);
    await expectAccessible(page, 'schedule-mail');
    await page.getByRole('link', { name: person.login }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'rivals', exact: true }).waitFor();
    await expectAccessible(page, 'profile-subscriptions');
    await page.getByRole('button', { name: 'Unsubscribe from rivals' }).click();
    await page.getByText('None yet. Tick “E-mail me”').waitFor();

    const id = await waitingBatch(site);
    await page.goto(`${site.url}/batches/${id}`);
    await tick.check();
    await expectAccessible(page, 'batch-mail');
    await page.getByRole('button', { name: 'Resume …' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/budget/i)
      .fill('10');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => mails.length, { timeout: waitMsMax }).toBe(2);
    expect([mails[1]?.to, mails[1]?.source]).toEqual([
      [person.login],
      expect.stringContaining('is finished'),
    ]);
    expect(errors).toEqual([]);
  });

  test('a new batch with the tick box is subscribed by its user', async () => {
    const { site } = await openSite();
    const person = { login: 'nora@example.com', role: 'member' as const };
    const { page, errors } = await site.open(browser(), '/batches/new', { person });
    const file = { name: 'night.csv', mimeType: 'text/csv', buffer: Buffer.from('website\nnike.com\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByLabel('E-mail me at nora@example.com when this batch is finished').check();
    await expectAccessible(page, 'new-batch-mail');
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByRole('heading', { name: 'night.csv', level: 1 }).waitFor();
    await page.goto(`${site.url}/account`);
    await page.getByRole('button', { name: 'Unsubscribe from night.csv' }).waitFor();
    expect(errors).toEqual([]);
  });

  describe('without a mail server', () => {
    const site = useTestConsole();

    test.each([
      ['an operator the settings of the mail server', operator, 'NIGHTSHIFT_SMTP_URL'],
      ['an admin whom to ask', undefined, 'Ask the operator'],
    ])('tells %s, and offers no mailbox', async (_what, person, text) => {
      const visit = person === undefined ? {} : { person };
      const { page } = await site().open(browser(), '/account/notifications', visit);
      await page.getByText('This server cannot send e-mail').waitFor();
      expect(await page.locator('main').innerText()).toContain(text);
      await page.getByRole('link', { name: 'Add target' }).first().click();
      await page.getByLabel('Kind').waitFor();
      expect(await page.getByLabel('Kind').locator('option').allInnerTexts()).toEqual([
        'Slack channel',
        'Program (webhook)',
      ]);
    });

    test.each([
      ['a member whom to ask', { login: 'mo@example.com', role: 'member' as const }, 'Ask the operator'],
      ['a user without an address what to do', { login: 'mo', role: 'member' as const }, 'Your login, mo,'],
    ])('tells %s in place of the tick box', async (_what, person, text) => {
      const { page } = await site().open(browser(), '/schedules/new', { person });
      await page.getByText(text).waitFor();
      expect(await page.getByLabel(/E-mail me/).count()).toBe(0);
    });
  });
});

async function openSite() {
  const { url, mails } = await openMailServer();
  const settings = {
    NIGHTSHIFT_SMTP_URL: url,
    NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com',
    NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1',
  };
  const site = await openTestConsole({ settings });
  onTestFinished(site.close);
  return { site, mails };
}

async function upload(site: TestConsole): Promise<void> {
  const headers = { 'Content-Type': 'text/csv' };
  const body = 'domain\nnike.com\nairbnb.com\n';
  const key = await site.createKey();
  const made = await site.call('POST', '/v1/batches?file_name=companies.csv', { key, headers, body });
  expect(made.status, made.text).toBe(201);
}

/** Creates a batch whose budget does not cover a result. */
async function waitingBatch(site: TestConsole): Promise<string> {
  const key = await site.createKey();
  const call = { key, headers: { 'Content-Type': 'text/csv' }, body: 'domain\nnike.com\n' };
  const { id } = (await site.call('POST', '/v1/batches?max_credits=0.1', call)).json() as { id: string };
  await waitForState(site, key, id, 'waiting_for_credits');
  return id;
}

/** Waits until the listed deliveries match. */
async function waitForDelivery(page: Page, text: RegExp): Promise<void> {
  const listed = async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    return page.getByRole('region', { name: 'Deliveries to the target' }).innerText();
  };
  await expect.poll(listed, { timeout: waitMsMax, interval: 300 }).toMatch(text);
}

/** Link to confirm a mailbox, with the line wraps of quoted-printable removed. */
function linkIn(mail: ReceivedMail | undefined): URL {
  const plain = (mail?.source ?? '').replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return new URL(/https?:\/\/\S+\/webhooks\/confirm\/[\w-]+/.exec(plain)?.[0] ?? '');
}

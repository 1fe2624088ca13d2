import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { eachTestConsole, keepPicture, outsideRequests } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

const operator = { login: 'olga@example.com', role: 'operator' as const };
const queues = '/operator/queues';

describeInBrowser('operator', (browser) => {
  eachTestConsole((site) => {
    test('creates an account, grants it credits once with a reason, and limits it', async () => {
      const opened = await site().open(browser(), '/operator/accounts', { person: operator });
      const { page, errors } = opened;
      await page.getByRole('button', { name: 'Create account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('default');
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Name').fill("Smith's & Sons");
      await dialog.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: "Smith's & Sons" }).waitFor();
      await page.getByText('No users yet.').waitFor();

      await page.getByLabel('Credits').fill('12.5');
      await page.getByLabel('Reason').fill('order 4711');
      await page.getByRole('button', { name: 'Grant credits …' }).click();
      expect(await dialog.innerText()).toContain(
        'Available now: 0. After the grant: 12.5. Reason: order 4711.',
      );
      expect(await readAxeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Grant credits' }).dblclick();
      await dialog.waitFor({ state: 'detached' });
      expect(await figureOf('Available')).toBe('12.5');
      expect(await page.getByLabel('Reason').inputValue()).toBe('');
      expect(await site().balance("Smith's & Sons")).toEqual({ balanceMicro: 12_500_000n, heldMicro: 0n });

      await page.getByLabel('Rows per batch').fill('2');
      await page.getByRole('button', { name: 'Save limits' }).click();
      await page.getByText("Limits of “Smith's & Sons” saved.").waitFor();
      const key = await site().createKey({ account: "Smith's & Sons" });
      const tooMany = { company_domain: 'a.com' };
      const answer = await site().call('POST', '/v1/batches', {
        key,
        json: { rows: [tooMany, tooMany, tooMany] },
      });
      expect(answer.status).toBe(413);
      await page.getByLabel('Rows per batch').fill('');
      await page.getByRole('button', { name: 'Save limits' }).click();
      await expect
        .poll(async () => {
          const read = await site().app.accounts.service.read("Smith's & Sons");
          return read.limits.rowsPerBatch;
        })
        .toBeNull();
      expect(errors.filter((error) => !/status of 409/.test(error))).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);

      async function figureOf(name: string): Promise<string> {
        return page.locator('.figures > div', { hasText: name }).locator('dd').first().innerText();
      }
    });

    test('views an account read-only, with a band on every page, until a click on Stop', async () => {
      await site().createAccount('Viewed & Co', 5n);
      const key = await site().createKey({ account: 'Viewed & Co' });
      const batch = await uploadBatch(site(), key, 'website\nnike.com\n');
      await waitForState(site(), key, batch, 'finished');
      const at = `/operator/accounts/${encodeURIComponent('Viewed & Co')}`;
      const { page, errors } = await site().open(browser(), at, { person: operator });
      await page.getByRole('button', { name: 'View as account Viewed & Co' }).click();
      const band = page.getByRole('complementary', { name: 'Viewed account' });
      await band.getByText('Viewing account Viewed & Co, read-only.').waitFor();
      await page.getByRole('link', { name: 'Batches', exact: true }).click();
      await page.locator(`a[href="/batches/${batch}"]`).first().click();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      expect(await readAxeFindings(page)).toEqual([]);
      await keepPicture(page, 'viewed-account');
      expect(await page.getByRole('button', { name: /^(New batch|Run again|Rename|Delete)/ }).count()).toBe(
        0,
      );
      await page.goto(`${site().url}/account/keys`);
      await band.waitFor();
      await page.getByText('API keys are for admins').waitFor();
      await band.getByRole('button', { name: 'Stop' }).click();
      await page.waitForURL(`**${at}`);
      await page.getByRole('button', { name: 'View as account Viewed & Co' }).waitFor();
      expect(await band.count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test('sees the queues read-only', async () => {
      const key = await site().createKey();
      await waitForState(
        site(),
        key,
        await uploadBatch(site(), key, 'website\nnike.com\nairbnb.com\n'),
        'finished',
      );
      const opened = await site().open(browser(), '/operator/accounts', { person: operator });
      const { page, errors } = opened;
      await page.getByRole('link', { name: 'Queues' }).click();
      await page.waitForURL(`**${queues}`);
      await page.getByText('nightshift-ticks').first().waitFor();
      await keepPicture(page, 'operator-queues');
      expect(await changing(page.locator('body'))).toEqual([]);
      await page.getByRole('link', { name: 'nightshift-chunks' }).first().click();
      await page.waitForURL(/queues\/queue\//);
      await page
        .getByText(/completed/i)
        .first()
        .waitFor();
      expect(await changing(page.locator('body'))).toEqual([]);
      await keepPicture(page, 'operator-queue');
      expect(errors).toEqual([]);
      expect(outsideRequests(opened, site().url)).toEqual([]);
    });

    test('is the only role with access to the queues, and cannot write to them', async () => {
      const token = await site().beginSession(operator);
      const adminKey = await site().createKey({ scopes: ['batches:read', 'batches:write', 'admin'] });
      const jane = await site().beginSession();
      const response = await request('GET', `${queues}/api/queues`, cookie(token));
      const { queues: found } = JSON.parse(response.text) as {
        queues: { name: string; readOnlyMode: boolean }[];
      };
      expect(found.length).toBeGreaterThan(2);
      expect(found.filter(({ readOnlyMode }) => !readOnlyMode)).toEqual([]);
      const name = encodeURIComponent(found[0]?.name ?? '');
      for (const path of [
        queues,
        `${queues}/api/queues`,
        `${queues}/api/queues/${name}`,
        `${queues}/static/x.js`,
      ]) {
        expect([path, (await request('GET', path, cookie(jane))).status]).toEqual([path, 403]);
        expect([path, (await request('GET', path, {})).status]).toEqual([path, 401]);
        expect([path, (await request('GET', path, { 'X-API-Key': adminKey })).status]).toEqual([path, 403]);
      }
      const changes = [
        'pause',
        'resume',
        'empty',
        'obliterate',
        'add',
        'retry/failed',
        'clean/completed',
        'promote',
      ];
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']) {
        for (const change of changes) {
          const path = `${queues}/api/queues/${name}/${change}`;
          const { status } = await request(method, path, cookie(token));
          expect([method, path, [403, 404, 405].includes(status)]).toEqual([method, path, true]);
        }
      }
      expect(await site().findings()).toEqual([]);
    });

    async function request(method: string, path: string, headers: Readonly<Record<string, string>>) {
      return site().call(method, path, { headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } });
    }
  });
});

function cookie(token: string): Readonly<Record<string, string>> {
  return { Cookie: `nightshift_session=${token}` };
}

/** Names of the buttons that change something. */
async function changing(page: Locator): Promise<readonly string[]> {
  const names = await page
    .getByRole('button')
    .evaluateAll((all: { textContent: string; title: string }[]) =>
      all.map(({ textContent, title }) => `${textContent} ${title}`.trim()),
    );
  return names.filter((name) =>
    /pause|resume|retry|clean|promote|empty|obliterate|delete|remove|add job/i.test(name),
  );
}

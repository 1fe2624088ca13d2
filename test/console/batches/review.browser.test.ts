import { expect, test } from 'vitest';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { insertCandidates, makeCandidate } from '../../support/companies/candidates.ts';
import { advertiserId } from '../../support/sources/creatives.ts';

describeInBrowser('review', (browser) => {
  const site = useTestConsole();

  test('of the uncertain advertisers of a batch stores decisions, which can be changed', async () => {
    const { app } = site();
    const accountId = app.accounts.defaultId;
    const opened = await site().open(browser(), '/charts');
    const { page, errors } = opened;
    await page.getByRole('link', { name: 'Batches', exact: true }).click();
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.getByText('No advertiser waits for a decision').waitFor();
    await expectAccessible(page, 'review-empty');

    const key = await site().createKey();
    const answer = await site().call('POST', '/v1/batches?file_name=rivals.csv', {
      key,
      headers: { 'Content-Type': 'text/csv' },
      body: 'company_domain\nunknown-brand.com\n',
    });
    const { id: batch } = answer.json() as { readonly id: string };
    await waitForState(site(), key, batch, 'finished');
    const lookup = await site().database.owner.pool.query<{ id: string }>(
      'SELECT max(id) AS id FROM nightshift.lookups',
    );
    const lookupId = BigInt(lookup.rows[0]?.id ?? 0);
    const environment = { DATABASE_URL: site().database.url };
    const companyKey = 'd:unknown-brand.com';
    await insertCandidates(
      environment,
      makeCandidate(1, { companyKey, lookupId, name: 'Unknown Brand Media' }),
      makeCandidate(2, { companyKey, lookupId, name: '<b>Brand</b> of Orlando', verification: 'UNVERIFIED' }),
      makeCandidate(3, { name: 'Elsewhere', lookupId: lookupId + 1n }),
    );
    await page.goto(`${site().url}/batches/${batch}`);
    await page.getByText('2 uncertain advertisers').waitFor();
    await page.getByRole('link', { name: 'Review them' }).click();
    const list = page.getByRole('list', { name: 'Advertisers' });
    await list.getByRole('heading', { name: 'Unknown Brand Media' }).waitFor();
    expect(await list.locator('h3').allInnerTexts()).toEqual([
      'Unknown Brand Media',
      '<b>Brand</b> of Orlando',
    ]);
    const first = list.locator('> li').first();
    const text = await first.innerText();
    for (const part of ['79% likely own', 'unknown-brand.com', 'DE', 'verified', '1,201 ads'])
      expect(text).toContain(part);
    expect(text).toContain("is in the advertiser's name");
    expect(await first.getByRole('link').getAttribute('href')).toContain(advertiserId(1));
    await expectAccessible(page, 'review');

    await first.getByRole('button', { name: 'Deny' }).click();
    await first.getByText('Not this company').waitFor();
    await first.getByRole('button', { name: 'Accept' }).click();
    await first.getByText('Own advertiser').waitFor();
    expect(await first.getByRole('button', { name: 'Accept' }).getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page, 'review-decided');
    expect(await app.sources.companies.list(accountId)).toMatchObject([
      {
        companyKey,
        advertiserId: fullId(advertiserId(1)),
        role: 'allow',
        note: expect.stringContaining('Reviewed') as string,
      },
    ]);

    await page.getByLabel('Company').fill('nike.com');
    await page.getByRole('button', { name: 'Show all batches' }).click();
    await page.getByLabel('Company').fill('nike.com');
    await page.getByRole('button', { name: 'Apply' }).click();
    await list.getByRole('heading', { name: 'Elsewhere' }).waitFor();
    await expect.poll(() => list.locator('h3').count()).toBe(1);
    expect(errors).toEqual([]);

    const viewer = await site().open(browser(), '/review', {
      person: { login: 'vera@example.com', role: 'viewer' },
    });
    await viewer.page.getByText('Your role can read this list').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  });
});

describeInBrowser('companies that were not identified', (browser) => {
  const site = useTestConsole();

  test('keep a denied company, give it back when the mapping is removed, and are read-only for viewers', async () => {
    const { app } = site();
    const key = await site().createKey();
    const id = await uploadBatch(site(), key, 'company\nToyota Motors Deutschland\n');
    await waitForState(site(), key, id, 'finished');
    const { page, errors } = await site().open(browser(), `/batches/${id}`);
    await page.getByRole('link', { name: 'Map them' }).click();
    await page.getByRole('button', { name: /^None of these/ }).click();
    await page.getByText('Denied', { exact: true }).waitFor();
    await page.getByText('0 open, 0 mapped, 1 denied').waitFor();
    expect(await app.sources.companies.list(app.accounts.defaultId, { role: 'deny' })).toMatchObject([
      { role: 'deny', note: expect.stringContaining('Reviewed: Toyota Motor Corporation') as string },
    ]);
    await page.reload();
    await page.getByText('Denied', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('1 open, 0 mapped, 0 denied').waitFor();
    expect(errors).toEqual([]);

    const person = { login: 'vera@example.com', role: 'viewer' as const };
    const viewer = await site().open(browser(), `/batches/${id}/unidentified`, { person });
    await viewer.page.getByText('Your role can read this list').waitFor();
    expect(await viewer.page.locator('main').getByRole('button').count()).toBe(0);
  });
});

describeInBrowser('companies without candidates', (browser) => {
  const site = useTestConsole();

  test('are dismissed, and wait again after an undo', async () => {
    const key = await site().createKey();
    const id = await uploadBatch(site(), key, 'company\nNowhere at all\n');
    await waitForState(site(), key, id, 'finished');
    const { page, errors } = await site().open(browser(), `/batches/${id}/unidentified`);
    await page.getByRole('button', { name: 'Dismiss Nowhere at all' }).click();
    await page.getByText('Dismissed', { exact: true }).waitFor();
    await page.getByText('0 open, 0 mapped, 1 denied').waitFor();
    await expectAccessible(page, 'unidentified-dismissed');
    await page.reload();
    await page.getByRole('button', { name: 'Undo Nowhere at all' }).click();
    await page.getByText('1 open, 0 mapped, 0 denied').waitFor();
    expect(errors).toEqual([]);
  });
});

describeInBrowser('mapping', (browser) => {
  const site = useTestConsole();

  test('is empty at first, and entries are added, searched, and removed', async () => {
    const { app } = site();
    const { page, errors } = await site().open(browser(), '/sql');
    await page.getByRole('link', { name: 'Company mapping' }).click();
    await page.getByText('No company is mapped yet').waitFor();
    await expectAccessible(page, 'mapping-empty');
    const add = async (company: string, advertiser: string) => {
      await page.getByRole('button', { name: 'Add mapping' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Company').fill(company);
      await dialog.getByLabel('Advertiser').fill(advertiser);
      await dialog.getByLabel('Note').fill(`about ${company}`);
      await dialog.getByRole('button', { name: 'Map', exact: true }).click();
      return dialog;
    };
    const rejected = await add('nike.com', '4711');
    await rejected.getByText('has no platform').waitFor();
    await expectAccessible(page, 'mapping-rejected');
    await rejected.getByRole('button', { name: 'Cancel' }).click();
    await (await add('nike.com', 'meta:4711')).waitFor({ state: 'detached' });
    await (await add('Apex Ltd', 'AR00000000000000000001')).waitFor({ state: 'detached' });
    await page.getByText('2 entries', { exact: true }).waitFor();
    const table = page.getByRole('region', { name: 'Mapping of companies to advertisers' });
    expect(await table.innerText()).toContain('about nike.com');
    await expectAccessible(page, 'mapping');

    await page.getByLabel('Search').fill('apex');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 entry', { exact: true }).waitFor();
    expect(await table.innerText()).toContain('google:AR00000000000000000001');
    await table.getByRole('checkbox').last().check();
    await page.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No entry matches').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByText('1 entry', { exact: true }).waitFor();
    expect(await app.sources.companies.list(app.accounts.defaultId)).toMatchObject([
      { companyKey: 'd:nike.com', advertiserId: fullId('meta:4711') },
    ]);
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);

    const person = { login: 'vera@example.com', role: 'viewer' as const };
    const viewer = await site().open(browser(), '/mapping', { person });
    await viewer.page.getByText('Your role can read the mapping').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Add mapping' }).count()).toBe(0);
  });
});

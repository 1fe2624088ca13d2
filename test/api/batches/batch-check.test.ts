import { describe, expect, test } from 'vitest';
import { useTestApi, type TestApi } from '../../support/api/test-api.ts';

const path = '/v1/batches';

interface Check {
  readonly fields: Readonly<Record<string, string>>;
  readonly credits: {
    readonly floor: number;
    readonly ceiling: number;
    readonly expected: number | null;
    readonly at_most: number;
    readonly balance: number;
    readonly hit_rates: readonly object[];
  };
  readonly preview: readonly {
    readonly line: number;
    readonly becomes: string;
    readonly same_as_line: number | null;
    readonly credits: number;
  }[];
  readonly earlier: object | null;
  readonly remembered: { readonly fields: object; readonly batch: string; readonly at: string } | null;
}

describe('POST /v1/batches with dry_run', () => {
  const api = useTestApi({ workers: true });

  test('returns the earlier batch of the same file and options', async () => {
    await api().createAccount('again', 10n);
    const key = await api().createKey({ account: 'again' });
    const list = 'website,note\nnike.com,once\n';
    expect((await check(api(), key, list)).earlier).toBeNull();
    const before = await finished(api(), key, list);
    const reported = (await check(api(), key, list)).earlier;
    expect(reported).toEqual({
      batch: before,
      file_name: 'upload.csv',
      at: expect.stringMatching(/Z$/) as string,
      state: 'finished',
      charged: 0.2,
    });
    // How old an answer may be changes nothing of what would be charged again.
    expect((await check(api(), key, list, { max_age: '7d' })).earlier).toEqual(reported);
    for (const other of [
      { region: 'DE' },
      { max_ads: '3' },
      { own_only: 'true' },
      { map: 'company_name=website,company_domain=' },
    ])
      expect((await check(api(), key, list, other)).earlier, JSON.stringify(other)).toBeNull();
    expect((await check(api(), key, `${list}puma.com,\n`)).earlier).toBeNull();
    await api().createAccount('stranger', 10n);
    const foreign = await api().createKey({ account: 'stranger' });
    expect((await check(api(), foreign, list)).earlier).toBeNull();
  });

  test('returns a preview of the first rows with their result, reason and cost', async () => {
    const key = await api().createKey();
    const list = [
      'company,website,email',
      'Nike,nike.com,a@nike.com',
      'Nike,https://nike.com/,',
      '-,n/a,NULL',
      'Gamma,no domain,',
    ].join('\n');
    const found = await check(api(), key, list);
    expect(found).toMatchObject({
      preview: [
        {
          row: 1,
          line: 2,
          cells: ['Nike', 'nike.com', 'a@nike.com'],
          becomes: 'taken',
          company_domain: 'nike.com',
          company_name: 'Nike',
          email: 'a@nike.com',
          same_as_line: null,
          brings: ['ads_search', 'email_validation'],
          credits: 0.2,
        },
        { line: 3, becomes: 'duplicate', same_as_line: 2, credits: 0, reason: null },
        { line: 4, becomes: 'rejected', credits: 0, company_name: null },
        { line: 5, becomes: 'taken', warning: expect.stringContaining('searched by the name') as string },
      ],
      rejected_by_reason: [{ reason: 'no company domain and no company name; no e-mail address', rows: 1 }],
      repeated: [{ text: 'nike.com', operation: 'ads_search', rows: 2, first_line: 2 }],
      choices: [
        { field: 'company_domain', column: 'website', because: 'name', others: [] },
        { field: 'company_name', column: 'company', because: 'name', others: [] },
        { field: 'email', column: 'email', because: 'name', others: [] },
      ],
      sources: ['sample'],
    });
  });

  test('lists unused columns; a file with an ambiguous column is a 400 with the map to send', async () => {
    const key = await api().createKey();
    const rows = 'Nike;nike.com;Köln;a@web.de\nIKEA;ikea.com;Ulm;b@gmx.de\nPuma;puma.com;Hof;c@web.de\n';
    expect(await check(api(), key, `Firma;Auftritt;Ort;E-Mail\n${rows}`)).toMatchObject({
      fields: { company_name: 'Firma', email: 'E-Mail' },
      unused: [
        { column: 'Auftritt', looks_like: 'web_address', could_be: 'company_domain' },
        { column: 'Ort', looks_like: 'text', examples: ['Köln', 'Ulm', 'Hof'], could_be: null },
      ],
      findings: [expect.stringContaining('map=company_domain=Auftritt') as string],
      headerless: false,
    });
    const body = 'Kunde;E-Mail\nAnker;a@web.de\nBoje;b@gmx.de\nKran;c@web.de\n';
    const refused = await api().call('POST', path, { key, headers: { 'Content-Type': 'text/csv' }, body });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json())).toContain('map=company_name=Kunde');
  });

  test('a field may be left without a column, and other candidate columns are listed', async () => {
    const key = await api().createKey();
    const map = 'company_domain=,company_name=Name,email=';
    const found = await check(api(), key, 'Name,url,email\nNike,nike.com,a@b.co\n', { map });
    expect(found).toMatchObject({
      fields: { company_name: 'Name' },
      operations: ['ads_search'],
      addresses: 0,
      choices: [
        { field: 'company_domain', column: null, because: null, others: ['url'] },
        { field: 'company_name', column: 'Name', because: 'map', others: [] },
        { field: 'email', column: null, because: null, others: ['email'] },
      ],
    });
  });

  test('limit and max_credits bound the cost, and the balance is returned with it', async () => {
    await api().createAccount('bounded', 3n);
    const key = await api().createKey({ account: 'bounded' });
    const list = `website\n${Array.from({ length: 30 }, (_, i) => `c${i % 20}.com`).join('\n')}\n`;
    const costOf = async (options: Readonly<Record<string, string>>) =>
      (await check(api(), key, list, options)).credits;
    const whole = { floor: 0, ceiling: 4, at_most: 4, balance: 3, expected: null };
    expect(await costOf({})).toMatchObject(whole);
    expect(await costOf({ limit: '10' })).toMatchObject({ ceiling: 2, at_most: 2 });
    expect(await costOf({ limit: '25' })).toMatchObject({ ceiling: 4, at_most: 4 });
    expect(await costOf({ max_credits: '1.5' })).toMatchObject({ ceiling: 4, at_most: 1.5 });
    expect(await costOf({ max_credits: '9' })).toMatchObject({ ceiling: 4, at_most: 4 });
    expect(await costOf({ limit: '5', max_credits: '1.5' })).toMatchObject({ ceiling: 1, at_most: 1 });
  });

  test('estimates the cost from the hit rate of the account once there are enough lookups', async () => {
    await api().createAccount('experienced', 100n);
    const key = await api().createKey({ account: 'experienced' });
    const list = `website\n${Array.from({ length: 10 }, (_, i) => `next-${i}.com`).join('\n')}\n`;
    const rate = { operation: 'ads_search', price: 0.2, lookups: 10 };
    expect((await check(api(), key, list)).credits).toMatchObject({
      expected: null,
      hit_rates: [{ ...rate, rate: null, answered: 0 }],
    });
    const known = ['nike.com', 'airbnb.com'];
    const unknown = Array.from({ length: 48 }, (_, i) => `nobody-${i}.com`);
    await finished(api(), key, `website\n${[...known, ...unknown].join('\n')}\n`);
    const { credits } = await check(api(), key, list);
    expect(credits).toMatchObject({ ceiling: 2, hit_rates: [{ ...rate, rate: 0.04, answered: 50 }] });
    expect(credits.expected).toBe(0.08);
    // Of no other account.
    const stranger = await api().createKey();
    expect((await check(api(), stranger, list)).credits.hit_rates).toMatchObject([{ answered: 0 }]);
  });

  test('returns the saved column mapping of the newest batch of the account with the same header', async () => {
    await api().createAccount('remembering', 100n);
    const key = await api().createKey({ account: 'remembering' });
    const list = 'a,b,c\nNike,nike.com,x\n';
    const map = 'company_name=a';
    expect((await check(api(), key, list, { map })).remembered).toBeNull();
    await upload(api(), key, list, { map });
    const newest = await upload(api(), key, list, {
      map: 'company_domain=b,company_name=a',
      file_name: 'b.csv',
    });
    await upload(api(), key, 'a,c,b\nNike,x,nike.com\n', { map: 'company_domain=b' });
    expect((await check(api(), key, list, { map })).remembered).toEqual({
      fields: { company_domain: 'b', company_name: 'a' },
      batch: newest,
      file_name: 'b.csv',
      at: expect.stringMatching(/Z$/) as string,
    });
    const stranger = await api().createKey();
    expect((await check(api(), stranger, list, { map })).remembered).toBeNull();
  });
});

describe('POST /v1/batches with dry_run and no configured source', () => {
  const api = useTestApi({ settings: { NIGHTSHIFT_SOURCES: '' } });

  test('reports that no source is configured', async () => {
    const found = await check(api(), await api().createKey(), 'website\nnike.com\n');
    expect(found).toMatchObject({ sources: null, credits: { ceiling: 0.2 } });
  });
});

async function send({ call }: TestApi, key: string, list: string, options: Readonly<Record<string, string>>) {
  const headers = { 'Content-Type': 'text/csv' };
  return call('POST', `${path}?${new URLSearchParams(options).toString()}`, { key, headers, body: list });
}

async function check(
  api: TestApi,
  key: string,
  list: string,
  options: Readonly<Record<string, string>> = {},
): Promise<Check> {
  const answer = await send(api, key, list, { ...options, dry_run: 'true' });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return answer.json() as Check;
}

async function upload(
  api: TestApi,
  key: string,
  list: string,
  options: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await send(api, key, list, options);
  expect(answer.status).toBe(201);
  return (answer.json() as { readonly id: string }).id;
}

async function finished(api: TestApi, key: string, list: string): Promise<string> {
  const id = await upload(api, key, list);
  const state = async () =>
    ((await api.call('GET', `${path}/${id}`, { key })).json() as { readonly state: string }).state;
  await expect.poll(state).toBe('finished');
  return id;
}

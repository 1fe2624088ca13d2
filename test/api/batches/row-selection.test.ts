import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type Answer, type ProblemBody } from '../../support/api/test-api.ts';
import { exportedLines, uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

/** Rows 1 and 4 are of one company, which no source identifies; neither are those of rows 3 and 5. Row 6 is rejected. */
const file = [
  'company,website',
  'Acme Rockets,acme-rockets.com',
  'Nike,nike.com',
  'Nowhere at all,',
  'Rockets,https://www.acme-rockets.com/de',
  'Elsewhere at all,',
  ',no domain.',
  'Spotify,spotify.com',
  '',
].join('\n');

describe.each(['postgres', 'redis'] as const)('rows of a batch, with the queue on %s', (queue) => {
  const api = useTestApi({ workers: true, queue });
  let accounts = 0;

  async function open() {
    const account = `selects-${(accounts += 1)}`;
    await api().createAccount(account, 10n);
    const key = await api().createKey({ account });
    const id = await uploadBatch(api(), key, file);
    await waitForState(api(), key, id, 'finished');
    return { account, key, id };
  }

  const get = (key: string, at: string) => api().call('GET', at, { key });
  const retry = (key: string, id: string, json: object) =>
    api().call('POST', `/v1/batches/${id}/retry`, { key, json });

  function titlesOf(answer: Answer): string {
    return (answer.json() as ProblemBody).errors.map(({ title }) => title).join('\n');
  }

  test('are selected by number in pages, exports and lists of ads, together with other filters', async () => {
    const { key, id } = await open();
    const rowsOf = async (query: string) => {
      const answer = await get(key, `/v1/batches/${id}/rows?${query}`);
      expect(answer.status, answer.text).toBe(200);
      return (answer.json() as { rows: readonly { row: number }[] }).rows.map(({ row }) => row);
    };
    expect(await rowsOf('rows=2,5-6')).toEqual([2, 5, 6]);
    expect(await rowsOf('rows=2,5-6&sort=-row')).toEqual([6, 5, 2]);
    expect(await rowsOf('rows=1-6&outcome=no_match')).toEqual([1, 3, 4, 5]);
    expect(await rowsOf('rows=1-3&q=nike')).toEqual([2]);
    expect(await rowsOf('rows=1-7&limit=2&after=3')).toEqual([4, 5]);

    const whole = (await get(key, `/v1/batches/${id}/export`)).text.split('\n');
    const some = (await get(key, `/v1/batches/${id}/export?rows=6,2`)).text.split('\n');
    expect(some).toEqual([whole[0], whole[2], whole[6], '']);
    const ndjson = await get(key, `/v1/batches/${id}/export?format=ndjson&rows=7`);
    expect(ndjson.text.trim().split('\n')).toHaveLength(1);
    const xlsx = await get(key, `/v1/batches/${id}/export?format=xlsx&rows=2,7`);
    expect([xlsx.status, xlsx.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('.xlsx') as string,
    ]);
    const ads = await get(key, `/v1/batches/${id}/export?format=ndjson&shape=ads&rows=1-2`);
    const lines = ads.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { website: string });
    expect(new Set(lines.map(({ website }) => website))).toEqual(new Set(['nike.com']));
    const listed = (await get(key, `/v1/ads?batch=${id}&rows=1-2&limit=1000`)).json() as {
      ads: readonly { row: number }[];
    };
    expect(listed.ads).toHaveLength(lines.length);
    expect(new Set(listed.ads.map(({ row }) => row))).toEqual(new Set([2]));
    const unidentified = (await get(key, `/v1/batches/${id}/unidentified?rows=3-4`)).json();
    expect(unidentified).toMatchObject({
      companies: [{ company_domain: 'acme-rockets.com' }, { company_name: 'Nowhere at all' }],
      counts: { open: 3 },
      next: null,
    });
  });

  test('that the batch does not have are an error that names them, everywhere', async () => {
    const { key, id } = await open();
    for (const at of ['/rows?', '/export?', '/unidentified?', `/../../ads?batch=${id}&`]) {
      const answer = await get(key, `/v1/batches/${id}${at}rows=2,7-9`);
      expect([at, answer.status, codesOf(answer)]).toEqual([at, 400, ['validation_error']]);
      expect(titlesOf(answer)).toContain('The batch has 7 rows. It has no row 8-9.');
    }
    const retried = await retry(key, id, { rows: [7, 8, 12] });
    expect([retried.status, titlesOf(retried)]).toEqual([400, expect.stringContaining('no row 8,12.')]);
  });

  test.each([
    ['0', 'must be row numbers from 1'],
    ['', 'must be row numbers from 1'],
    ['5-2', 'must be row numbers from 1'],
    [Array.from({ length: 501 }, (_, i) => 2 * i + 1).join(','), 'at most 500 are possible'],
  ])('are rejected with their remedy: case %#', async (rows, text) => {
    const { key, id } = await open();
    const answer = await get(key, `/v1/batches/${id}/export?rows=${rows}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)).toContain(text);
    const ofAll = await get(key, '/v1/ads?rows=1');
    expect([ofAll.status, titlesOf(ofAll)]).toEqual([
      400,
      expect.stringContaining('requires the parameter batch'),
    ]);
  });

  test('are retried alone, with the cost named first, and charged once', async () => {
    const { account, key, id } = await open();
    const asked = { rows: [2, 4, 6], unidentified: true };
    const dry = await retry(key, id, { ...asked, dry_run: true });
    expect([dry.status, dry.json()]).toMatchObject([
      200,
      {
        state: 'finished',
        retried: 1,
        credits_max: 0.2,
        in_doubt_left: 0,
        lookups: { open: 0, no_match: 3 },
      },
    ]);
    // Without `unidentified` only failed lookups are retried, and there are none.
    expect((await retry(key, id, { rows: [2, 4, 6] })).json()).toMatchObject({
      state: 'finished',
      retried: 0,
    });
    expect((await retry(key, id, { ...asked, rows: [2, 6, 7] })).json()).toMatchObject({ retried: 0 });

    await api().call('POST', '/v1/companies/mapping', {
      key,
      json: { company_domain: 'acme-rockets.com', advertiser_id: await sampleId('IKEA') },
    });
    const [first, again] = await Promise.all([retry(key, id, asked), retry(key, id, asked)]);
    expect([first.status, again.status].toSorted()).toEqual([200, 409]);
    await waitForState(api(), key, id, 'finished');
    expect((await get(key, `/v1/batches/${id}`)).json()).toMatchObject({
      lookups: { total: 5, found: 3, no_match: 2, failed: 0, open: 0 },
      credits: { charged: 0.6 },
    });
    const lines = await exportedLines(api(), key, id);
    expect(
      lines.map(({ ads_outcome: outcome, ads_credits_consumed: credits }) => [outcome, Number(credits)]),
    ).toEqual([
      ['found', 0.2],
      ['found', 0.2],
      ['no_match', 0],
      ['found', 0],
      ['no_match', 0],
      ['rejected', 0],
      ['found', 0.2],
    ]);
    expect((await retry(key, id, asked)).json()).toMatchObject({ state: 'finished', retried: 0 });
    expect((await api().balance(account)).heldMicro).toBe(0n);
    expect(await api().findings()).toEqual([]);
  });

  test('are retried by their own account only, and with options that go together', async () => {
    const { key, id } = await open();
    const stranger = await api().createKey();
    expect((await retry(stranger, id, { rows: [1], unidentified: true })).status).toBe(404);
    for (const json of [
      { rows: [] },
      { rows: [0] },
      { rows: [1.5] },
      { rows: ['1'] },
      { rows: '1-3' },
      { rows: Array.from({ length: 5001 }, () => 1) },
      { unidentified: true, mapped: true },
      { unidentified: true, reparse: true },
    ]) {
      const answer = await retry(key, id, json);
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    }
    expect((await retry(key, id, { rows: [1], mapped: true })).json()).toMatchObject({ retried: 0 });
  });

  async function sampleId(name: string): Promise<string> {
    const { rows } = await api().database.owner.pool.query<{ advertiser_id: string }>(
      'SELECT advertiser_id FROM nightshift.advertisers WHERE disclosed_name = $1',
      [name],
    );
    return `google:${rows[0]?.advertiser_id ?? ''}`;
  }
});

import { afterEach, describe, expect, test } from 'vitest';
import {
  createBigQueryClient,
  type BigQueryClient,
  type BigQueryOptions,
  type Row,
} from '../../../../src/sources/bigquery/client.ts';
import { parseServiceAccount } from '../../../../src/sources/bigquery/credentials.ts';
import { readCreatives, toAds } from '../../../../src/sources/bigquery/creatives.ts';
import { googleUrl } from '../../../../src/sources/bigquery/google-url.ts';
import {
  askForCreatives,
  creativeStatsTable,
  type CreativesWanted,
} from '../../../../src/sources/bigquery/query.ts';
import { Misconfigured, SourceUnreadable } from '../../../../src/core/errors.ts';
import { fetchSend } from '../../../support/api/fetch-send.ts';
import {
  openBigQueryStandIn,
  type BigQueryStandIn,
  type BigQueryStandInOptions,
  type StandInFailure,
} from '../../../support/sources/bigquery.ts';
import { advertiserId, makeCreative } from '../../../support/sources/creatives.ts';

const gib = 2n ** 30n;
const signal = new AbortController().signal;
const rows = [
  makeCreative(1, 11, { EEA: ['2024-01-01', '2025-03-01'], FR: ['2024-01-01', '2025-03-01'] }),
  makeCreative(1, 12, { EEA: ['2023-03-01', '2025-05-02'], DE: ['2023-03-01', '2025-05-02'] }),
  makeCreative(1, 13, { FR: ['2024-02-01', '2024-02-02'], TR: ['2024-02-03', '2025-04-01'] }),
  makeCreative(1, 14, {}, { ad_format_type: 'VIDEO', advertiser_legal_name: ' ACME Holding SE ' }),
  makeCreative(2, 21, { FR: ['2024-06-01', '2024-06-30'] }, { advertiser_disclosed_name: 'Zeta "SA"' }),
  makeCreative(3, 31, { IT: ['2024-06-01', '2024-06-30'] }, { advertiser_disclosed_name: null }),
];
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openPair(
  standInOptions: BigQueryStandInOptions = {},
  options: Partial<BigQueryOptions> = {},
): Promise<{ standIn: BigQueryStandIn; client: BigQueryClient }> {
  const standIn = await openBigQueryStandIn({ rows, ...standInOptions });
  closers.push(standIn.close);
  return { standIn, client: clientOf(standIn, options) };
}

function clientOf(standIn: BigQueryStandIn, options: Partial<BigQueryOptions> = {}): BigQueryClient {
  return createBigQueryClient({
    send: fetchSend,
    baseUrl: standIn.baseUrl,
    projectId: standIn.projectId,
    credentials: parseServiceAccount(standIn.keyFile),
    maximumBytesBilled: 50n * gib,
    sleep: async () => undefined,
    ...options,
  });
}

function ask(wanted: Partial<CreativesWanted> = {}) {
  const all = {
    advertiserIds: [advertiserId(1)],
    nameKeys: [],
    regions: null,
    adsPerAdvertiserMax: 100,
    advertisersPerKeyMax: 10,
  };
  return askForCreatives({ ...all, ...wanted });
}

async function collect(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function runAll(client: BigQueryClient, question = ask(), jobId = 'job-1') {
  const { rows: pages, bytesBilled } = await client.run({ jobId, ...question }, signal);
  return { creatives: readCreatives(await collect(pages)), bytesBilled };
}

const idsOf = (creatives: readonly { readonly creativeId: string }[]) =>
  creatives.map(({ creativeId }) => Number(creativeId.slice(2)));

describe('a query returns', () => {
  test('all ads of an advertiser, last shown first, over polls and pages', async () => {
    const { standIn, client } = await openPair({ pollsUntilDone: 3, pageRowsMax: 1 });
    const { creatives, bytesBilled } = await runAll(client);
    expect(idsOf(creatives)).toEqual([12, 13, 11, 14]);
    expect(bytesBilled).toBe(45n * gib);
    expect(standIn.log.map(({ operation }) => operation)).toEqual([
      'token',
      'dry run',
      'insert',
      ...['results', 'results', 'results', 'results'],
      'get job',
      ...['results', 'results', 'results'],
    ]);
  });

  test('rows as ads without variants, with dates of all regions and the URL of the archive', async () => {
    const { client } = await openPair();
    const { creatives } = await runAll(client);
    const [first, ...rest] = toAds(creatives);
    expect(rest).toHaveLength(3);
    expect(first).toEqual({
      advertiserId: `google:${advertiserId(1)}`,
      creativeId: 'google:CR00000000000000000012',
      advertiserName: 'Acme GmbH',
      format: 'Text',
      originalUrl:
        'https://adstransparency.google.com/advertiser/AR00000000000000000001/creative/CR00000000000000000012?region=anywhere',
      variants: [],
      start: '2023-03-01',
      lastSeen: '2025-05-02',
      text: null,
      details: expect.objectContaining({
        topic: null,
        regions: [expect.objectContaining({ region: 'EEA' }), expect.objectContaining({ region: 'DE' })],
        advertiser: { legalName: null, location: 'DE', verification: 'VERIFIED' },
      }) as unknown,
    });
    expect(rest.at(-1)).toMatchObject({ format: 'Video', start: null, lastSeen: null });
  });

  test.each([
    ['a disclosed name', 'acme', [12, 13, 11, 14]],
    ['words of a legal name, written together', 'acmeholding', [14]],
    ['the beginning of a word', 'acme', [12, 13, 11, 14]],
    ['part of a word, without result', 'olding', []],
    ['no words, without result', '', []],
  ])('ads by %s', async (_, key, expected) => {
    const { client } = await openPair();
    const { creatives } = await runAll(client, ask({ advertiserIds: [], nameKeys: [key] }));
    expect(idsOf(creatives)).toEqual(expected);
    expect(creatives.every(({ nameKeys }) => nameKeys.join() === key)).toBe(true);
  });

  test('at most the maximum of advertisers per key, the shortest names first, with their total', async () => {
    const { client } = await openPair();
    const nameKeys = ['acme', 'zeta', 'sa'];
    const { creatives } = await runAll(client, ask({ advertiserIds: [], nameKeys, advertisersPerKeyMax: 1 }));
    expect(
      creatives.map(({ advertiserId: id, advertisersOfKey }) => [Number(id.slice(2)), advertisersOfKey]),
    ).toEqual([1, 1, 1, 1, 2].map((advertiser) => [advertiser, 1]));
    const others = await runAll(
      client,
      ask({ advertiserIds: [], nameKeys: ['acme'], advertisersPerKeyMax: 0 }),
      'job-2',
    );
    expect(others.creatives).toEqual([]);
  });

  test('ads of many companies at once, by advertiser', async () => {
    const { standIn, client } = await openPair();
    const question = ask({ advertiserIds: [advertiserId(3), advertiserId(2)], nameKeys: ['acmeholding'] });
    expect(idsOf((await runAll(client, question)).creatives)).toEqual([14, 21, 31]);
    expect(standIn.jobs()).toBe(1);
  });

  test('ads of the selected regions, with their dates there', async () => {
    const { client } = await openPair();
    const { creatives } = await runAll(client, ask({ regions: ['FR'] }));
    expect(creatives).toMatchObject([
      {
        creativeId: 'CR00000000000000000011',
        start: '2024-01-01',
        lastSeen: '2025-03-01',
        adsOfAdvertiser: 2,
      },
      {
        creativeId: 'CR00000000000000000013',
        start: '2024-02-01',
        lastSeen: '2024-02-02',
        adsOfAdvertiser: 2,
      },
    ]);
  });

  test('at most the maximum of ads per advertiser, with their total', async () => {
    const { client } = await openPair();
    const { creatives } = await runAll(client, ask({ adsPerAdvertiserMax: 2 }));
    expect(idsOf(creatives)).toEqual([12, 13]);
    expect(creatives.map(({ adsOfAdvertiser }) => adsOfAdvertiser)).toEqual([4, 4]);
  });

  test('nothing for an unknown advertiser', async () => {
    const { client } = await openPair();
    expect((await runAll(client, ask({ advertiserIds: [advertiserId(9)] }))).creatives).toEqual([]);
  });

  test('its bytes in a dry run, without a job', async () => {
    const { standIn, client } = await openPair({ bytes: 123n });
    expect(await client.dryRun(ask(), signal)).toBe(123n);
    expect(standIn.jobs()).toBe(0);
  });
});

describe('job', () => {
  test('is resumed by its id, and billed once', async () => {
    const { standIn, client } = await openPair();
    const first = await runAll(client);
    expect(await runAll(client)).toEqual(first);
    expect(standIn.jobs()).toBe(1);
  });

  test.each(['insert', 'results', 'get job'] as const)(
    'is resumed after a failed call of %s, without doubt',
    async (operation) => {
      const { standIn, client } = await openPair();
      standIn.failWith((at, n) => (at === operation && n === 1 ? { kind: 'cut' } : undefined));
      await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
      expect(idsOf((await runAll(client)).creatives)).toEqual([12, 13, 11, 14]);
      expect(standIn.jobs()).toBe(1);
    },
  );

  test('of another query never answers under the same id', async () => {
    const { standIn, client } = await openPair();
    await runAll(client);
    expect(idsOf((await runAll(client, ask({ advertiserIds: [advertiserId(2)] }))).creatives)).toEqual([21]);
    expect(standIn.jobs()).toBe(2);
  });

  test('is the same for the same query in another order', async () => {
    const { standIn, client } = await openPair();
    const ids = [advertiserId(1), advertiserId(2)];
    await runAll(client, ask({ advertiserIds: ids, nameKeys: ['zeta', 'acme'] }));
    await runAll(client, ask({ advertiserIds: ids.toReversed(), nameKeys: ['acme', 'zeta', 'zeta'] }));
    expect(standIn.jobs()).toBe(1);
  });

  test('that failed is replaced by another on the next run', async () => {
    const { standIn, client } = await openPair();
    const error = { status: 503, reason: 'backendError', message: 'try again' };
    standIn.failWith((at, n) => (at === 'insert' && n === 1 ? { kind: 'job fails', error } : undefined));
    await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
    expect((await runAll(client)).creatives).toHaveLength(4);
    expect(standIn.jobs()).toBe(2);
  });

  test('that fails repeatedly is replaced a limited number of times', async () => {
    const { standIn, client } = await openPair();
    const error = { status: 503, reason: 'backendError', message: 'try again' };
    standIn.failWith((at) => (at === 'insert' ? { kind: 'job fails', error } : undefined));
    for (let n = 0; n < 12; n += 1)
      await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable' });
    expect(standIn.jobs()).toBe(9);
  });

  test('with expired results is replaced by another', async () => {
    let now = Date.now();
    const nowMs = () => now;
    const { standIn, client } = await openPair({ nowMs }, { nowMs });
    await runAll(client);
    now += 24 * 3_600_000;
    await runAll(client);
    expect(standIn.jobs()).toBe(2);
  });

  test('beyond the deadline is left to the next run, which finds it', async () => {
    let now = Date.now();
    const delays: number[] = [];
    const sleep = async (delayMs: number) => {
      delays.push(delayMs);
      now += delayMs;
    };
    const options = { nowMs: () => now, deadlineMs: 20_000, sleep };
    const { standIn, client } = await openPair({ pollsUntilDone: 12, nowMs: () => now }, options);
    await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(standIn.log.flatMap(({ query }) => query['timeoutMs'] ?? []).slice(-2)).toEqual(['7250', '2250']);
    expect((await runAll(client)).creatives).toHaveLength(4);
    expect(standIn.jobs()).toBe(1);
  });
});

describe('maximum of billed bytes', () => {
  const says = /45\.0 GiB \(48318382080 bytes\).*cap is 44\.0 GiB.*NIGHTSHIFT_BIGQUERY_MAX_GIB to 46 or more/;

  test('rejects a query before it starts, with the setting to change', async () => {
    const { standIn, client } = await openPair({}, { maximumBytesBilled: 44n * gib });
    const run = runAll(client);
    await expect(run).rejects.toThrow(Misconfigured);
    await expect(run).rejects.toThrow(says);
    expect(standIn.jobs()).toBe(0);
  });

  test('is sent with the job, with the same error if BigQuery rejects it', async () => {
    const { standIn, client } = await openPair({}, { maximumBytesBilled: 44n * gib });
    const lower = (body: string) => body.replaceAll(String(45n * gib), '5');
    standIn.failWith((at) => (at === 'dry run' ? { kind: 'change', change: lower } : undefined));
    await expect(runAll(client)).rejects.toThrow(/would read 0\.0 GiB \(5 bytes\), and the cap is 44\.0 GiB/);
    expect(standIn.jobs()).toBe(1);
  });
});

describe('error of BigQuery', () => {
  type Case = [number, string, object];
  const cases: readonly Case[] = [
    [403, 'quotaExceeded', { code: 'source_throttled', retry: { kind: 'after', delayMs: 600_000 } }],
    [403, 'rateLimitExceeded', { code: 'source_throttled', retry: { kind: 'backoff' } }],
    [400, 'jobRateLimitExceeded', { code: 'source_throttled' }],
    [429, 'whatever', { code: 'source_throttled' }],
    [400, 'bytesBilledLimitExceeded', { code: 'misconfigured' }],
    [403, 'accessDenied', { code: 'source_refused', status: 403 }],
    [401, 'authError', { code: 'source_refused', status: 401 }],
    [404, 'notFound', { code: 'source_refused', status: 404 }],
    [400, 'invalidQuery', { code: 'source_refused', status: 400 }],
    [500, 'internalError', { code: 'source_unavailable', inDoubt: false }],
    [503, 'backendError', { code: 'source_unavailable', inDoubt: false }],
    [400, 'jobBackendError', { code: 'source_unavailable', inDoubt: false }],
  ];

  test.each(cases)('%i %s keeps its meaning and message', async (status, reason, expected) => {
    const { standIn, client } = await openPair();
    const error = { status, reason, message: 'words of\nBigQuery' };
    for (const operation of ['dry run', 'insert', 'results', 'get job', 'table'] as const) {
      standIn.failWith((at) => (at === operation ? { kind: 'error', error } : undefined));
      const call =
        operation === 'table'
          ? client.checkSchema(creativeStatsTable, signal)
          : runAll(client, ask(), operation.replace(' ', '-'));
      await expect(call).rejects.toMatchObject(expected);
      if (reason !== 'bytesBilledLimitExceeded') await expect(call).rejects.toThrow('words of BigQuery');
    }
  });

  test.each(cases.filter(([status]) => status !== 401 && status !== 429))(
    '%i %s has the same meaning as the result of a job',
    async (status, reason, expected) => {
      const { standIn, client } = await openPair();
      const error = { status, reason, message: 'words' };
      standIn.failWith((at) => (at === 'insert' ? { kind: 'job fails', error } : undefined));
      await expect(runAll(client)).rejects.toMatchObject(expected);
      const ended = JSON.stringify({ status: { state: 'DONE', errorResult: { reason, message: 'words' } } });
      standIn.failWith((at) => (at === 'insert' ? { kind: 'raw', status: 200, body: ended } : undefined));
      await expect(runAll(client, ask(), 'job-2')).rejects.toMatchObject(expected);
    },
  );

  test.each([502, 504])('%i of a gateway is not in doubt', async (status) => {
    const { standIn, client } = await openPair();
    standIn.failWith((at) => (at === 'insert' ? { kind: 'raw', status, body: '<html>' } : undefined));
    await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
  });
});

describe('malformed response is unreadable', () => {
  const rename = (key: string): StandInFailure => ({
    kind: 'change',
    change: (body) => body.replaceAll(`"${key}":`, `"${key}_2":`),
  });

  test.each([
    ['dry run', 'status', 'status'],
    ['dry run', 'totalBytesProcessed', 'statistics.totalBytesProcessed'],
    ['insert', 'state', 'status.state'],
    ['results', 'jobComplete', 'jobComplete'],
    ['results', 'schema', 'schema'],
    ['results', 'totalRows', 'totalRows'],
    ['results', 'rows', 'rows'],
    ['results', 'pageToken', 'totalRows'],
    ['results', 'fields', 'schema.fields'],
    ['results', 'f', 'rows[0]'],
    ['results', 'v', 'rows[0].advertiser_id'],
    ['get job', 'totalBytesBilled', 'statistics.query.totalBytesBilled'],
    ['token', 'access_token', 'access_token'],
    ['token', 'expires_in', 'expires_in'],
  ] as const)('%s with the key %s renamed, naming %s', async (operation, key, path) => {
    const { standIn, client } = await openPair({ pollsUntilDone: 0 });
    standIn.failWith((at) => (at === operation ? rename(key) : undefined));
    const run = runAll(client);
    await expect(run).rejects.toThrow(SourceUnreadable);
    await expect(run).rejects.toThrow(`shape: ${path}:`);
  });

  test.each([
    ['a missing column in a row', /\{"v":"AR\d+"\},/, '', 'rows[0]: expected 11 columns'],
    ['a number instead of a text', '"v":"TEXT"', '"v":5', 'rows[0].ad_format_type'],
    ['a record instead of a text', '"v":"FR"', '"v":{"f":[]}', 'region_code'],
    ['a creative id in another format', '"CR0', '"XX0', 'rows[0]: creative_id'],
    ['a missing count', '"name":"ads_count"', '"name":"ads_total"', 'rows[0].ads_count'],
    ['not JSON', '{', '[', 'not JSON'],
  ])('%s', async (_, from, to, message) => {
    const { standIn, client } = await openPair({ pollsUntilDone: 0 });
    const change = (body: string) => body.replace(from, to);
    standIn.failWith((at) => (at === 'results' ? { kind: 'change', change } : undefined));
    await expect(runAll(client)).rejects.toThrow(SourceUnreadable);
    await expect(runAll(client)).rejects.toThrow(message);
  });

  test('a missing page', async () => {
    const { standIn, client } = await openPair({ pageRowsMax: 1 });
    const cut = (body: string) => body.replace(/,"pageToken":"[^"]*"/, '');
    standIn.failWith((at, n) => (at === 'results' && n === 3 ? { kind: 'change', change: cut } : undefined));
    await expect(runAll(client)).rejects.toThrow('totalRows: 4 promised, 2 given');
  });

  test('a redirect', async () => {
    const { standIn, client } = await openPair();
    const location = 'https://accounts.google.com/';
    standIn.failWith((at) =>
      at === 'insert' ? { kind: 'raw', status: 302, body: '', location } : undefined,
    );
    await expect(runAll(client)).rejects.toThrow(SourceUnreadable);
  });
});

describe('call ends', () => {
  test('with the reason of the caller who aborts it', async () => {
    const { standIn, client } = await openPair();
    const controller = new AbortController();
    standIn.failWith((at) => {
      if (at !== 'results') return undefined;
      controller.abort(new Error('stopping'));
      return { kind: 'hang' };
    });
    await expect(client.run({ jobId: 'job-1', ...ask() }, controller.signal)).rejects.toThrow('stopping');
  });

  test.each(['token', 'insert'] as const)('with a timeout of a %s', async (operation) => {
    const { standIn, client } = await openPair({}, { callDeadlineMs: 150 });
    standIn.failWith((at) => (at === operation ? { kind: 'hang' } : undefined));
    await expect(runAll(client)).rejects.toMatchObject({ code: 'source_unavailable', inDoubt: false });
  });
});

describe('credentials', () => {
  test('request one token for concurrent callers, and another shortly before it expires', async () => {
    let now = Date.now();
    const nowMs = () => now;
    const { standIn, client } = await openPair({ nowMs }, { nowMs });
    await Promise.all(Array.from({ length: 5 }, () => client.dryRun(ask(), signal)));
    now += 3_500_000;
    await client.dryRun(ask(), signal);
    expect(standIn.tokens).toHaveLength(1);
    now += 50_000;
    await client.dryRun(ask(), signal);
    expect(standIn.tokens).toHaveLength(2);
  });

  test('request another token after a rejected one', async () => {
    const { standIn, client } = await openPair();
    const error = { status: 401, reason: 'authError', message: 'Invalid Credentials' };
    standIn.failWith((at, n) => (at === 'dry run' && n === 1 ? { kind: 'error', error } : undefined));
    await expect(client.dryRun(ask(), signal)).rejects.toMatchObject({ code: 'source_refused', status: 401 });
    await client.dryRun(ask(), signal);
    expect(standIn.tokens).toHaveLength(2);
  });

  test('of a caller who aborts do not fail other callers', async () => {
    const { standIn, client } = await openPair();
    const controller = new AbortController();
    const early = client.dryRun(ask(), controller.signal);
    const other = client.dryRun(ask(), signal);
    controller.abort(new Error('gone'));
    await expect(early).rejects.toThrow('gone');
    expect(await other).toBe(45n * gib);
    expect(standIn.tokens).toHaveLength(1);
  });

  test('do not delay the abort of a caller', async () => {
    const { standIn, client } = await openPair();
    const controller = new AbortController();
    standIn.failWith(() => {
      controller.abort(new Error('gone'));
      return { kind: 'hang' };
    });
    await expect(client.dryRun(ask(), controller.signal)).rejects.toThrow('gone');
  });

  test('that the token endpoint rejects are a configuration error', async () => {
    const { standIn } = await openPair();
    const late = clientOf(standIn, { nowMs: () => Date.now() - 7_200_000 });
    await expect(late.dryRun(ask(), signal)).rejects.toThrow(Misconfigured);
    const other = JSON.parse(standIn.keyFile) as Record<string, unknown>;
    const stranger = JSON.stringify({ ...other, client_email: 'someone@else.example' });
    const refused = clientOf(standIn, { credentials: parseServiceAccount(stranger) });
    await expect(refused.dryRun(ask(), signal)).rejects.toThrow(Misconfigured);
    expect(standIn.tokens).toEqual([]);
  });

  test('are redacted in messages of BigQuery', async () => {
    const { standIn, client } = await openPair();
    await client.dryRun(ask(), signal);
    const [token = ''] = standIn.tokens;
    const message = `who are you, Bearer ${token}?`;
    const error = { status: 403, reason: 'accessDenied', message };
    standIn.failWith(() => ({ kind: 'error', error }));
    await expect(client.dryRun(ask(), signal)).rejects.toThrow('who are you, Bearer …');
    await expect(client.dryRun(ask(), signal)).rejects.not.toThrow(token);
  });

  test('are optional, except for Google’s endpoint', async () => {
    const standIn = await openBigQueryStandIn({ rows, wantsToken: false });
    closers.push(standIn.close);
    for (const baseUrl of [standIn.baseUrl, standIn.url, `${standIn.url}/`]) {
      const { creatives } = await runAll(clientOf(standIn, { baseUrl, credentials: null }));
      expect(creatives).toHaveLength(4);
    }
    expect(standIn.log.map(({ authorization }) => authorization)).not.toContainEqual(expect.any(String));
    const { projectId } = standIn;
    const atGoogle = {
      send: fetchSend,
      baseUrl: googleUrl,
      projectId,
      credentials: null,
      maximumBytesBilled: gib,
    };
    expect(() => createBigQueryClient(atGoogle)).toThrow('requires the key file of a service account');
  });

  test.each([
    ['project', { projectId: 'hunter2/..' }],
    ['address', { baseUrl: 'http://user:hunter2@127.0.0.1' }],
    ['address', { baseUrl: 'hunter2' }],
  ])('are not used with an invalid %s, which is not quoted', async (_, options) => {
    const standIn = await openBigQueryStandIn();
    closers.push(standIn.close);
    expect(() => clientOf(standIn, options)).toThrow(Misconfigured);
    expect(() => clientOf(standIn, options)).not.toThrow(/hunter2/);
  });
});

describe('table schema', () => {
  test('of the expected table is accepted', async () => {
    const { client } = await openPair();
    await expect(client.checkSchema(creativeStatsTable, signal)).resolves.toBeUndefined();
  });

  test('with missing columns is rejected with their names', async () => {
    const { client } = await openPair({
      missingColumns: ['advertiser_legal_name', 'region_stats.last_shown'],
    });
    const check = client.checkSchema(creativeStatsTable, signal);
    await expect(check).rejects.toThrow(SourceUnreadable);
    await expect(check).rejects.toThrow('advertiser_legal_name, region_stats.last_shown');
    await expect(runAll(client)).rejects.toMatchObject({ code: 'source_refused', status: 400 });
  });

  test('with other column types is rejected with their names', async () => {
    const { standIn, client } = await openPair();
    const change = (body: string) => body.replace('"RECORD","mode":"REPEATED"', '"RECORD","mode":"NULLABLE"');
    standIn.failWith(() => ({ kind: 'change', change }));
    await expect(client.checkSchema(creativeStatsTable, signal)).rejects.toThrow('no column region_stats of');
  });
});

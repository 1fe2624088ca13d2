import { BigQuery, type Query } from '@google-cloud/bigquery';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBigQueryClient, type Row } from '../../../../src/sources/bigquery/client.ts';
import { askForCreatives } from '../../../../src/sources/bigquery/query.ts';
import { fetchSend } from '../../../support/api/fetch-send.ts';
import { openBigQueryStandIn, type BigQueryStandIn } from '../../../support/sources/bigquery.ts';
import { advertiserId, makeCreative } from '../../../support/sources/creatives.ts';

const rows = [
  makeCreative(1, 11, { FR: ['2024-01-01', '2025-03-01'], DE: ['2024-01-02', '2025-02-01'] }),
  makeCreative(1, 12, { FR: ['2024-01-01', '2025-04-01'] }, { ad_format_type: null }),
  makeCreative(1, 13, {}),
  makeCreative(1, 14, { TR: ['2023-03-01', '2025-01-01'] }),
];
const wanted = {
  advertiserIds: [advertiserId(1)],
  nameKeys: [],
  regions: null,
  adsPerAdvertiserMax: 100,
  advertisersPerKeyMax: 10,
};
const question = askForCreatives(wanted);
const closers: (() => Promise<void>)[] = [];

// Otherwise it probes for a Google Cloud machine.
beforeEach(() => vi.stubEnv('METADATA_SERVER_DETECTION', 'none'));

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) await close();
});

async function openStandIn(): Promise<BigQueryStandIn> {
  const standIn = await openBigQueryStandIn({ rows, wantsToken: false, pageRowsMax: 2, pollsUntilDone: 2 });
  closers.push(standIn.close);
  return standIn;
}

/** Google's client for Node with the stand-in, configured by its option or by the variable for emulators. */
const ways = [
  ['apiEndpoint', '/bigquery/v2/projects/acme-ads/', ({ url }) => new BigQuery(at(url))],
  [
    'BIGQUERY_EMULATOR_HOST',
    '/projects/acme-ads/',
    ({ url }) => {
      vi.stubEnv('BIGQUERY_EMULATOR_HOST', url);
      return new BigQuery({ projectId: 'acme-ads' });
    },
  ],
] as const satisfies readonly (readonly [string, string, (standIn: BigQueryStandIn) => BigQuery])[];

function at(apiEndpoint: string) {
  return { projectId: 'acme-ads', apiEndpoint };
}

/** The query in the form of the official client. An empty array needs an explicit type. */
function toOfficialQuery(): Query {
  const types = {
    ids: ['STRING'],
    name_keys: ['STRING'],
    regions: ['STRING'],
    max_ads: 'INT64',
    max_advertisers: 'INT64',
  };
  return { query: question.query, params: { ...question.parameters }, types, location: 'US' };
}

describe.each(ways)('Google’s own client for %s works with the stand-in for BigQuery:', (_, prefix, open) => {
  test('it reads the same rows over polls and pages', async () => {
    const standIn = await openStandIn();
    const [job] = await open(standIn).createQueryJob({ ...toOfficialQuery(), jobId: 'official' });
    const [official] = await job.getQueryResults();
    expect(official).toEqual(
      (await readOurs(standIn)).map((row) => ({
        ...row,
        ads_count: Number(row['ads_count']),
        advertisers_count: Number(row['advertisers_count']),
      })),
    );
    expect(official).toHaveLength(4);
    const officials = standIn.log.filter(({ path }) => path.endsWith('/official') || path.endsWith('/jobs'));
    expect(officials.slice(0, 5).map(({ path }) => path.startsWith(prefix))).toEqual(Array(5).fill(true));
  });

  test('it reads the bytes of a dry run', async () => {
    const standIn = await openStandIn();
    const [job] = await open(standIn).createQueryJob({ ...toOfficialQuery(), dryRun: true });
    const { statistics } = job.metadata as { statistics: { totalBytesProcessed: string } };
    expect(statistics.totalBytesProcessed).toBe(String(45n * 2n ** 30n));
    expect(standIn.jobs()).toBe(0);
  });

  test('it reads the error of a query beyond its maximum', async () => {
    const standIn = await openStandIn();
    const query = { ...toOfficialQuery(), maximumBytesBilled: '1000' };
    const [job] = await open(standIn).createQueryJob(query);
    await expect(job.getQueryResults()).rejects.toMatchObject({
      code: 400,
      errors: [{ reason: 'bytesBilledLimitExceeded' }],
    });
  });

  test('it reads the error of a used-up quota', async () => {
    const standIn = await openStandIn();
    const error = { status: 403, reason: 'quotaExceeded', message: 'Quota exceeded' };
    standIn.failWith(() => ({ kind: 'error', error }));
    await expect(open(standIn).createQueryJob(toOfficialQuery())).rejects.toMatchObject({
      code: 403,
      errors: [{ reason: 'quotaExceeded' }],
    });
  });

  test('it reads the columns of the table', async () => {
    const standIn = await openStandIn();
    const dataset = open(standIn).dataset('google_ads_transparency_center', {
      projectId: 'bigquery-public-data',
    });
    const [{ schema }] = (await dataset.table('creative_stats').getMetadata()) as [TableShown, unknown];
    expect(schema.fields.map(({ name }) => name)).toContain('region_stats');
  });
});

interface TableShown {
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
}

async function readOurs({ baseUrl, projectId }: BigQueryStandIn): Promise<readonly Row[]> {
  const options = { send: fetchSend, baseUrl, projectId, credentials: null, maximumBytesBilled: 2n ** 60n };
  const client = createBigQueryClient({ ...options, sleep: async () => undefined });
  const run = await client.run({ jobId: 'ours', ...question }, new AbortController().signal);
  const all: Row[] = [];
  for await (const page of run.rows) all.push(...page);
  return all;
}

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { importSnapshot } from '../../../../src/sources/snapshot/import.ts';
import type { ImportProgress } from '../../../../src/sources/snapshot/import.ts';
import { ValidationError } from '../../../../src/core/errors.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/db/database.ts';
import {
  advertiserId,
  dumpStore,
  flatFile,
  loadContents,
  loadCreatives,
  nestedFile,
  nestedLine,
  readSnapshot,
  writeFiles,
  type Creative,
} from '../../../support/sources/snapshots.ts';

const creatives: readonly Creative[] = [
  {
    advertiser: 1,
    creative: 1,
    name: 'Procter & Gamble',
    legal: 'P&G "Europe" SA',
    format: 'IMAGE',
    location: 'CH',
  },
  { advertiser: 1, creative: 2, name: 'Procter & Gamble', start: '2023-03-01', lastSeen: '2026-08-07' },
  { advertiser: 2, creative: 3, name: null, legal: 'Müller, Söhne\nund Töchter GmbH', start: null },
  { advertiser: 3, creative: 4, name: '<b>株式会社</b>', lastSeen: null, format: 'HTML5' },
];

describe('format of a snapshot file', () => {
  test('may be nested or flat, gzipped or not, with the same content', async () => {
    const nested = nestedFile(creatives);
    const flat = flatFile(creatives);
    const forms = {
      'nested.ndjson': nested,
      'nested.ndjson.gz': gzipSync(nested),
      'flat.csv': flat,
      'a-name-that-says-nothing': gzipSync(flat),
    };
    const contents = [];
    for (const [name, content] of Object.entries(forms)) {
      const database = await openTestDatabase();
      await loadContents(database, { [name]: content });
      contents.push(await readSnapshot(database));
    }
    expect(contents[0]?.ads).toHaveLength(4);
    for (const content of contents) expect(content).toEqual(contents[0]);
  });

  test.each([
    ['a byte order mark', `\ufeff${nestedFile(creatives)}`],
    ['UTF-16', Buffer.from(`\ufeff${nestedFile(creatives)}`, 'utf16le')],
    ['CR LF line endings', nestedFile(creatives).replaceAll('\n', '\r\n')],
    ['blank lines', `\n\n  \n${nestedFile(creatives).replaceAll('\n', '\n\n \t\n')}`],
    ['no final line ending', nestedFile(creatives).trimEnd()],
    ['CSV with semicolons', flatFile([{ advertiser: 1, creative: 1 }]).replaceAll(',', ';')],
    [
      'CSV with extra columns in another order',
      'X,creative_id,ADVERTISER_ID\n1,CR00000000000000000001,AR00000000000000000001\n',
    ],
  ])('may have %s', async (_, content) => {
    const database = await openTestDatabase();
    await loadContents(database, { 'export.dat': content });
    const { ads } = await readSnapshot(database);
    expect(ads[0]).toMatchObject({ advertiser_id: advertiserId(1) });
  });

  test('may be the CSV of the BigQuery console, with region_stats as JSON and timestamps', async () => {
    const database = await openTestDatabase();
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const stats = (first: string, last: string) =>
      quoted(
        JSON.stringify([{ region_code: 'DE', first_shown: first, last_shown: last, times_shown: '1000' }]),
      );
    const load = await loadContents(database, {
      'console.csv': `advertiser_id,creative_id,region_stats
${advertiserId(1)},CR00000000000000000001,${stats('2024-01-02', '2024-03-04')}
${advertiserId(1)},CR00000000000000000002,${stats('2024-01-02 00:00:00 UTC', '2024-03-04T00:00:00Z')}
${advertiserId(1)},CR00000000000000000003,[]
`,
    });
    const days = { start: '2024-01-02', last_seen: '2024-03-04' };
    expect((await readSnapshot(database)).ads).toMatchObject([days, days, { start: null, last_seen: null }]);
    expect(load).toMatchObject({ rows: 3, rowsWithoutDates: 1 });
  });

  test('may differ among the files of one load', async () => {
    const database = await openTestDatabase();
    const load = await loadContents(database, {
      'a.ndjson.gz': gzipSync(nestedFile(creatives.slice(0, 2))),
      'b.csv': flatFile(creatives.slice(1)),
    });
    expect(load).toMatchObject({ rows: 5, duplicates: 1, ads: 4 });
  });

  test('may have a line of a megabyte with the statistics of many regions', async () => {
    const database = await openTestDatabase();
    const region = '{"region_code":"DE","first_shown":"2024-02-02","last_shown":"2024-03-03"}';
    const regions = new Array(20_000).fill(region).join(',');
    const line = `{"advertiser_id":"${advertiserId(1)}","creative_id":"CR00000000000000000001","region_stats":[${regions}]}`;
    await loadContents(database, {
      'long.ndjson': `${nestedLine({ advertiser: 9, creative: 9 })}\n${line}\n`,
    });
    expect((await readSnapshot(database)).ads).toMatchObject([
      { start: '2024-02-02', last_seen: '2024-03-03' },
      {},
    ]);
  });
});

describe('malformed file', () => {
  const good = nestedFile(creatives);
  const header = 'advertiser_id,creative_id,first_shown\n';
  const ids = `${advertiserId(5)},CR00000000000000000005`;

  test.each([
    ['truncated JSON', `${good}{"advertiser_id":"AR0\n`, 'bad.dat, line 5: The line is not valid JSON'],
    [
      'a missing id',
      `\n${good}{"advertiser_id":"${advertiserId(1)}"}\n${good}`,
      'bad.dat, line 6: creative_id: expected CR and 20 digits',
    ],
    [
      'an id without leading zeros',
      `${good}{"advertiser_id":"AR1","creative_id":"CR1"}`,
      'bad.dat, line 5: advertiser_id: expected AR and 20 digits, got "AR1"',
    ],
    [
      'a field of another type',
      nestedLine({ advertiser: 1, creative: 1 }).replace('"US"', '7'),
      'bad.dat, line 1: advertiser_location: expected a text',
    ],
    ['an array', `${good}[1]\n`, 'bad.dat, line 5: row: expected an object'],
    [
      'a line beyond the limit',
      `${good}{"advertiser_id":"${'x'.repeat(4_300_000)}"}\n`,
      'bad.dat, line 5: The line is longer than 4194304 bytes',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(good), Buffer.from([0x7b, 0xff, 0xff, 0x0a])]),
      'bad.dat, line 5: ',
    ],
    ['a CSV without ids', 'advertiser_id,name\nAR1,x\n', 'bad.dat, line 1: creative_id: '],
    ['a CSV row with an invalid id', `${header}${ids},\n\nAR1,CR1,\n`, 'bad.dat, line 4: advertiser_id: '],
    [
      'a truncated CSV row',
      `${header}${ids},2024-01-01\n${ids}`,
      'bad.dat, line 3: The line has 2 cells, the header 3',
    ],
    [
      'a CSV row with an invalid date',
      `${header}${ids},2024-01-01\n${ids},31.12.2024`,
      'bad.dat, line 3: first_shown: expected a day that exists, YYYY-MM-DD, or a moment of one, got "31.12.2024"',
    ],
    [
      'dates in an unknown column',
      `advertiser_id,creative_id,region_stats.first_shown\n${ids},2024-01-01\n`,
      'bad.dat, line 1: region_stats.first_shown: the days of an ad are read from first_shown and last_shown',
    ],
    ['an unclosed CSV quote', `${header}${ids},"2024`, 'bad.dat, line 2: '],
    ['truncated gzip data', gzipSync(good.repeat(50)).subarray(0, 200), 'bad.dat: The gzip data is damaged'],
  ])('with %s is rejected with file, line and field, and nothing is stored', async (_, content, message) => {
    const database = await openTestDatabase();
    await loadCreatives(database, [{ advertiser: 1, creative: 1 }]);
    const before = await dumpStore(database);
    const refused = await refusalOf(
      loadContents(database, { 'good.ndjson': nestedFile(creatives), 'bad.dat': content }),
    );
    expect(refused.message).toContain(message);
    expect(refused.where).toMatch(/bad\.dat(:\d+)?$/);
    expect(await dumpStore(database)).toEqual(before);
  });

  test('is rejected with the remedy', async () => {
    const database = await openTestDatabase();
    const refused = await refusalOf(loadContents(database, { 'bad.ndjson': '{"advertiser_id":1}\n' }));
    expect(refused.message).toContain(
      'Nothing of this load was kept. Fix or remove the line, or export the table again, and repeat the load.',
    );
  });

  test('that is missing is named, and no load starts', async () => {
    const database = await openTestDatabase();
    const [folder] = await writeFiles({ 'there.ndjson': good });
    const refused = await refusalOf(load(database, [folder ?? '', '/nowhere/export.ndjson']));
    expect(refused.message).toContain('/nowhere/export.ndjson: The file cannot be read: ENOENT');
    expect(await createSnapshotStore(database.app).find('snapshot')).toBeNull();
  });

  test.each([
    ['an empty file', ''],
    ['a header only', header],
  ])('is rejected if it is %s', async (_, content) => {
    const database = await openTestDatabase();
    const refused = await refusalOf(loadContents(database, { 'nothing.csv': content }));
    expect(refused.message).toMatch(/There is no row in .*nothing\.csv/);
    expect(await createSnapshotStore(database.app).find('snapshot')).toBeNull();
  });
});

describe('running load', () => {
  test('reports progress up to all bytes and rows', async () => {
    const database = await openTestDatabase();
    const many = Array.from({ length: 3_000 }, (_, i) => ({
      advertiser: 1,
      creative: i * 7919,
      name: `Firm ${i ** 3}`,
    }));
    const files = await writeFiles({ 'a.gz': gzipSync(nestedFile(many)), 'b.ndjson': nestedFile(creatives) });
    const seen: ImportProgress[] = [];
    const store = createSnapshotStore(database.app);
    await importSnapshot({ store, name: 'snapshot', files, onProgress: (progress) => seen.push(progress) });
    const last = seen.at(-1);
    expect(last?.rows).toBe(3_004);
    expect(last?.bytesRead).toBe(last?.bytesTotal);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a.bytesRead - b.bytesRead || a.rows - b.rows));
  });

  test('ends by a signal, and stores nothing', async () => {
    const database = await openTestDatabase();
    const many = Array.from({ length: 3_000 }, (_, i) => ({ advertiser: 1, creative: i }));
    const files = await writeFiles({ 'a.ndjson': nestedFile(many) });
    const stop = new AbortController();
    const store = createSnapshotStore(database.app);
    const onProgress = () => stop.abort();
    const loading = importSnapshot({ store, name: 'snapshot', files, onProgress, signal: stop.signal });
    await expect(loading).rejects.toThrow(/abort/i);
    expect(await store.find('snapshot')).toBeNull();
  });
});

function load(database: TestDatabase, files: readonly string[]) {
  return importSnapshot({ store: createSnapshotStore(database.app), name: 'snapshot', files });
}

async function refusalOf(loading: Promise<unknown>): Promise<ValidationError> {
  const error = await loading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ValidationError) return error;
  throw new Error(`Expected a ValidationError, got ${String(error)}`, { cause: error });
}

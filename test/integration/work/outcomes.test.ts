import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database } from '../../../db/connection/client.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';
import { readAdsOf } from '../../../db/stores/ads/read-ads.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase, openTestPool } from '../../support/db/database.ts';
import { openPostgresProxy, type CommitCut } from '../../support/db/postgres-proxy.ts';
import { loadCreatives, defaultAccountId } from '../../support/sources/snapshots.ts';
import { found, takeChunk } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';

const opening = 100_000_000n;
const price = 200_000n;

test('a commit writes outcomes, ads, charges, states and counts together', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com', 'c.com', 'd.com', 'e.com']);
  await commit(database.app, claim, [
    found(['cr-1', 'cr-2']),
    { kind: 'none', matchedBy: 'domain' },
    { kind: 'no_match' },
    { kind: 'failed', reason: 'source_unreadable' },
  ]);
  expect(await readLookups(database)).toEqual([
    {
      outcome: 'found',
      reason: null,
      source: 'upstream',
      matched_by: 'domain',
      ads_count: 2,
      charged: 200_000,
    },
    { outcome: 'none', reason: null, source: 'upstream', matched_by: 'domain', ads_count: 0, charged: 0 },
    { outcome: 'no_match', reason: null, source: 'upstream', matched_by: null, ads_count: 0, charged: 0 },
    {
      outcome: 'failed',
      reason: 'source_unreadable',
      source: 'upstream',
      matched_by: null,
      ads_count: 0,
      charged: 0,
    },
    { outcome: null, reason: null, source: null, matched_by: null, ads_count: 0, charged: 0 },
  ]);
  expect(await readChunks(database)).toEqual([
    { state: 'running', lookups: 5, found: 1, none: 1, no_match: 1, failed: 1, charged: 200_000 },
  ]);
  expect(await readBalance(database)).toEqual({ balanceMicro: opening - 2n * price, heldMicro: price });
  expect(await listFindings(database)).toEqual([]);
});

test('the last lookup ends its chunk and notifies the dispatcher', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com']);
  const listener = await database.owner.pool.connect();
  onTestFinished(() => listener.release());
  await listener.query('LISTEN nightshift_work');
  const reported = new Promise((resolve) => listener.once('notification', resolve));
  await commit(database.app, claim, [found(['cr-1'])]);
  expect(await readChunks(database)).toMatchObject([{ state: 'running' }]);
  await commit(database.app, claim, [undefined, { kind: 'no_match' }]);
  expect(await readChunks(database)).toMatchObject([{ state: 'done', found: 1, no_match: 1 }]);
  await reported;
});

describe('repeated commit', () => {
  test('changes nothing while the chunk has open lookups', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    const answers = [found(['cr-1', 'cr-2']), { kind: 'none', matchedBy: 'domain' }] as const;
    await commit(database.app, claim, answers);
    const before = await dumpRecord(database);
    await commit(database.app, claim, answers);
    expect(await dumpRecord(database)).toEqual(before);
  });

  test('with other answers changes nothing, because the first outcome is final', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    await commit(database.app, claim, [found(['cr-1']), { kind: 'no_match' }]);
    const before = await dumpRecord(database);
    await commit(database.app, claim, [{ kind: 'no_match' }, found(['cr-2'])]);
    expect(await dumpRecord(database)).toEqual(before);
  });

  test('is rejected once the chunk is done, and changes nothing', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com']);
    const answers = [found(['cr-1']), found(['cr-2'])];
    await commit(database.app, claim, answers);
    const before = await dumpRecord(database);
    await expect(commit(database.app, claim, answers)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await dumpRecord(database)).toEqual(before);
  });

  test('writes new outcomes only', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    await commit(database.app, claim, [found(['cr-1'])]);
    await commit(database.app, claim, [{ kind: 'no_match' }, found(['cr-1']), found(['cr-1'])]);
    expect(await readChunks(database)).toMatchObject([
      { state: 'done', found: 3, no_match: 0, charged: 600_000 },
    ]);
    expect(await readBalance(database)).toEqual({ balanceMicro: opening - 3n * price, heldMicro: 0n });
    expect(await listFindings(database)).toEqual([]);
  });
});

describe('commit with a lost connection', () => {
  test.each<CommitCut>(['before', 'after'])('%s it is done takes effect once after a retry', async (cut) => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    const { proxy, proxied } = await openProxied(database);
    const answers = [found(['cr-1', 'cr-2']), { kind: 'none', matchedBy: 'domain' }] as const;
    proxy.cutNextCommit(cut);
    await expect(commit(proxied, claim, answers)).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(proxy.cuts()).toBe(1);
    expect((await readChunks(database))[0]).toMatchObject({ found: cut === 'after' ? 1 : 0 });
    await commit(proxied, claim, answers);
    expect((await readChunks(database))[0]).toMatchObject({ found: 1, none: 1, charged: 200_000 });
    expect(await readBalance(database)).toEqual({ balanceMicro: opening - 2n * price, heldMicro: price });
    expect(await listFindings(database)).toEqual([]);
  });

  test('in each of a hundred commits charges every lookup once', async () => {
    const companies = Array.from({ length: 100 }, (_, i) => `company-${i}.com`);
    const { database, claim } = await openWork([...companies, 'left-open.com']);
    const { proxy, proxied } = await openProxied(database);
    for (const lookup of claim.lookups.slice(0, 100)) {
      const result = {
        lookupId: lookup.lookupId,
        source: 'upstream',
        answer: found([`cr-${lookup.lookupId}`]),
      };
      proxy.cutNextCommit('after');
      await createOutcomeStore(proxied.sql)
        .commit(claim, [result])
        .catch(() => undefined);
      await createOutcomeStore(proxied.sql).commit(claim, [result]);
    }
    expect(proxy.cuts()).toBe(100);
    expect(await readBalance(database)).toEqual({ balanceMicro: opening - 101n * price, heldMicro: price });
    expect(await listFindings(database)).toEqual([]);
  });
});

describe('concurrent workers', () => {
  test('one worker claims a chunk', async () => {
    const { database, claim } = await openWork(['a.com'], { leaseMs: -1000 });
    const dispatch = createDispatchStore(database.app.sql);
    for (const lapsed of await dispatch.listLapsed(10)) expect(await dispatch.rescue(lapsed)).toBe(true);
    const work = createWorkStore(database.app.sql);
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => work.claim(claim.chunkId, claim.generation + 1, 60_000)),
    );
    expect(claims.filter((taken) => taken !== null)).toHaveLength(1);
  });

  test('a worker that lost its chunk writes nothing, and the new one writes all', async () => {
    const { database, claim: zombie } = await openWork(['a.com', 'b.com'], { leaseMs: -1000 });
    const dispatch = createDispatchStore(database.app.sql);
    for (const lapsed of await dispatch.listLapsed(10)) await dispatch.rescue(lapsed);
    const claim = await takeChunk(database.app, zombie.chunkId, zombie.generation + 1);
    const before = await dumpRecord(database);
    await expect(commit(database.app, zombie, [found(['cr-1'])])).rejects.toMatchObject({
      code: 'lease_lost',
    });
    expect(await dumpRecord(database)).toEqual(before);
    await commit(database.app, claim, [found(['cr-2']), { kind: 'no_match' }]);
    await expect(commit(database.app, zombie, [found(['cr-1'])])).rejects.toMatchObject({
      code: 'lease_lost',
    });
    expect(await adsOf(database, claim)).toMatchObject([[{ creativeId: 'google:cr-2' }], []]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('a worker with an expired lease may write while the chunk is not claimed again', async () => {
    const { database, claim } = await openWork(['a.com'], { leaseMs: -1000 });
    await commit(database.app, claim, [found(['cr-1'])]);
    expect(await readChunks(database)).toMatchObject([{ state: 'done', found: 1 }]);
    expect(await createDispatchStore(database.app.sql).listLapsed(10)).toEqual([]);
  });

  test('workers that commit the same answers concurrently write them once', async () => {
    const companies = Array.from({ length: 20 }, (_, i) => `company-${i}.com`);
    const { database, claim } = await openWork([...companies, 'left-open.com']);
    const answers = companies.map((_, i) => found([`cr-${i}`, 'cr-shared']));
    await Promise.all(Array.from({ length: 8 }, () => commit(database.app, claim, answers)));
    expect(await readChunks(database)).toMatchObject([{ state: 'running', found: 20, charged: 4_000_000 }]);
    expect(await readBalance(database)).toEqual({ balanceMicro: opening - 21n * price, heldMicro: price });
    expect(await listFindings(database)).toEqual([]);
  });

  test('workers that store the same ads concurrently in any order store them once', async () => {
    const database = await openTestDatabase();
    const companies = Array.from({ length: 8 }, (_, i) => `company-${i}.com`);
    const { claims } = await claimWork(database.app, companies, { chunkSize: 1 });
    const creatives = Array.from({ length: 60 }, (_, i) => `cr-${i}`);
    await Promise.all(
      claims.map((claim, i) => {
        const turned = [...creatives.slice(i * 7), ...creatives.slice(0, i * 7)];
        return commit(database.app, claim, [found(i % 2 === 0 ? turned : turned.reverse())]);
      }),
    );
    expect(await countRows(database, 'ads')).toBe(60);
    expect(await countRows(database, 'ad_versions')).toBe(60);
    expect(await countRows(database, 'lookup_ads')).toBe(480);
    expect(await listFindings(database)).toEqual([]);
  });
});

describe('stored ads', () => {
  test('are written in a fixed order, so that concurrent workers do not deadlock', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com']);
    const other = await database.owner.pool.connect();
    onTestFinished(() => other.release());
    const storeByOther = (creativeId: string) =>
      other.query('SELECT nightshift.store_ads($1)', [
        JSON.stringify([{ ord: 1, advertiser_id: 'AR-1', creative_id: creativeId, variants: [] }]),
      ]);
    await other.query('BEGIN');
    await storeByOther('cr-5');
    const committed = commit(database.app, claim, [found(['cr-9', 'cr-5', 'cr-1'])]);
    await untilSomebodyWaits(database);
    await storeByOther('cr-9');
    await other.query('COMMIT');
    await committed;
    expect(await adsOf(database, claim)).toMatchObject([
      [{ creativeId: 'google:cr-9' }, { creativeId: 'google:cr-5' }, { creativeId: 'google:cr-1' }],
      [],
    ]);
  });

  test('are returned as the source reported them, in its order', async () => {
    const { database, claim } = await openWork(['a.com']);
    const ads = [
      ad({
        creativeId: 'google:cr-9',
        text: { headline: 'H', description: null, displayUrl: 'u', finalUrl: null, adType: 't' },
      }),
      ad({
        creativeId: 'google:cr-1',
        advertiserId: 'meta:007',
        variants: [],
        start: null,
        lastSeen: null,
        format: null,
      }),
      ad({
        creativeId: 'google:cr-5',
        variants: [variant('<b>"quoted" \\ \u2028</b>'), variant(''), variant('<b>')],
      }),
    ];
    await commit(database.app, claim, [{ kind: 'found', ads, matchedBy: 'domain' }]);
    expect(await adsOf(database, claim)).toEqual([ads]);
  });

  test('with equal content are stored once for all lookups and dates', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    const early = ad({ start: '2026-01-01', lastSeen: '2026-02-01' });
    const late = ad({ start: '2026-01-01', lastSeen: '2026-09-01' });
    await commit(database.app, claim, [foundAds(early)]);
    await commit(database.app, claim, [undefined, foundAds(late), foundAds(late)]);
    expect(await countRows(database, 'ad_versions')).toBe(1);
    expect(await countRows(database, 'ad_variants')).toBe(1);
    expect(await adsOf(database, claim)).toEqual([[early], [late], [late]]);
  });

  test('with changed content get a new version, and earlier answers keep theirs', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com', 'c.com']);
    const first = ad({ variants: [variant('<p>old</p>')] });
    const second = ad({ variants: [variant('<p>new</p>'), variant('<p>more</p>')] });
    await commit(database.app, claim, [foundAds(first)]);
    const before = await adsOf(database, claim);
    await commit(database.app, claim, [undefined, foundAds(second), foundAds(first)]);
    const after = await adsOf(database, claim);
    expect(after[0]).toEqual(before[0]);
    expect(after).toEqual([[first], [second], [first]]);
    expect(await countRows(database, 'ads')).toBe(1);
    expect(await countRows(database, 'ad_versions')).toBe(2);
    expect(await countRows(database, 'ad_variants')).toBe(3);
  });

  test('of shape A are identified by their five texts, without ids', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com']);
    const shoes = textAd('Shoes');
    const boots = textAd('Boots');
    await commit(database.app, claim, [foundAds(shoes, boots), foundAds(boots, shoes)]);
    expect(await adsOf(database, claim)).toEqual([
      [shoes, boots],
      [boots, shoes],
    ]);
    expect(await countRows(database, 'ads')).toBe(2);
    const { rows } = await database.app.pool.query('SELECT advertiser_id, creative_id FROM nightshift.ads');
    expect(rows).toEqual([
      { advertiser_id: null, creative_id: null },
      { advertiser_id: null, creative_id: null },
    ]);
  });

  test('of shape A with differently split texts are different ads', async () => {
    const { database, claim } = await openWork(['a.com']);
    const texts = [
      { headline: 'a', description: 'b' },
      { headline: 'a b', description: null },
      { headline: null, description: 'a b' },
      { headline: '', description: 'a b' },
    ].map((some) => ({ ...textAd(''), text: { ...noTexts, ...some } }));
    await commit(database.app, claim, [foundAds(...texts)]);
    expect(await countRows(database, 'ads')).toBe(4);
    expect(await adsOf(database, claim)).toEqual([texts]);
  });

  test('of the snapshot are linked, newest first', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com']);
    await loadCreatives(database, [
      { advertiser: 1, creative: 1, lastSeen: '2024-03-01' },
      { advertiser: 1, creative: 2, lastSeen: '2024-05-01' },
      { advertiser: 2, creative: 3, lastSeen: '2024-04-01' },
    ]);
    const { rows } = await database.app.pool.query<{ id: string }>(
      'SELECT id FROM nightshift.advertisers ORDER BY advertiser_id',
    );
    const advertisers = rows.map(({ id }) => ({ key: BigInt(id), relation: 'own' as const }));
    await commit(database.app, claim, [{ kind: 'stored', advertisers, matchedBy: 'name' }]);
    const [ads] = await adsOf(database, claim);
    expect(ads?.map((one) => one.lastSeen)).toEqual(['2024-05-01', '2024-04-01', '2024-03-01']);
    expect(await countRows(database, 'ad_versions')).toBe(3);
    expect(await readChunks(database)).toMatchObject([{ found: 1, charged: 200_000 }]);
    expect(await listFindings(database)).toEqual([]);
  });

  test('of an advertiser that has none by then make the outcome none, free of charge', async () => {
    const { database, claim } = await openWork(['a.com', 'b.com']);
    expect(await createSnapshotStore(database.app).find('snapshot')).toBeNull();
    const advertisers = [{ key: 99n, relation: 'own' as const }];
    await commit(database.app, claim, [{ kind: 'stored', advertisers, matchedBy: 'name' }]);
    expect(await readChunks(database)).toMatchObject([{ found: 0, none: 1, charged: 0 }]);
    expect(await listFindings(database)).toEqual([]);
  });
});

test('a find costs the price of its hold, whatever the current price', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com']);
  await database.owner.pool.query(
    `INSERT INTO nightshift.prices (operation, amount_micro, effective_from, note) VALUES ('ads_search', 900000, now(), 'dearer')`,
  );
  await commit(database.app, claim, [found(['cr-1'])]);
  expect(await readBalance(database)).toEqual({ balanceMicro: opening - 2n * price, heldMicro: price });
});

test('a find at price zero is charged nothing and has no ledger entry', async () => {
  const database = await openTestDatabase();
  await database.owner.pool.query(
    `INSERT INTO nightshift.prices (operation, amount_micro, effective_from, note) VALUES ('ads_search', 0, now(), 'free')`,
  );
  const { claims } = await claimWork(database.app, ['a.com']);
  await commit(database.app, claims[0], [found(['cr-1'])]);
  expect(await readLookups(database)).toMatchObject([{ outcome: 'found', ads_count: 1, charged: 0 }]);
  expect(await readBalance(database)).toEqual({ balanceMicro: opening, heldMicro: 0n });
  expect(await listFindings(database)).toEqual([]);
});

test('a commit that the ledger rejects writes nothing', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com']);
  const [lookup] = claim.lookups;
  await createLedger(database.app.sql).resolve(defaultAccountId, [
    { lookupId: lookup?.lookupId ?? 0n, attempt: claim.attempt, amountMicro: 0n },
  ]);
  const before = await dumpRecord(database);
  await expect(commit(database.app, claim, [found(['cr-1']), found(['cr-2'])])).rejects.toMatchObject({
    cause: { message: expect.stringContaining('The ledger answered {mismatch,settled}') as unknown },
  });
  expect(await dumpRecord(database)).toEqual(before);
});

test('a commit of an answer that cannot be stored writes nothing', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com']);
  const before = await dumpRecord(database);
  const broken = foundAds(ad({ lastSeen: 'no day' }));
  await expect(commit(database.app, claim, [found(['cr-1']), broken])).rejects.toThrow();
  expect(await dumpRecord(database)).toEqual(before);
});

test('an outcome cannot be changed, not even by a superuser', async () => {
  const { database, claim } = await openWork(['a.com', 'b.com']);
  await commit(database.app, claim, [{ kind: 'no_match' }]);
  const change = `SET session_replication_role = replica;
    UPDATE nightshift.lookups SET outcome = 'none' WHERE outcome = 'no_match'`;
  await expect(database.owner.pool.query(change)).rejects.toThrow('an outcome never changes');
});

async function openWork(companies: readonly string[], options: { leaseMs?: number } = {}) {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, companies, options);
  const [claim] = claims;
  if (claim === undefined) throw new Error('Nothing was claimed.');
  return { database, claim };
}

async function openProxied(database: TestDatabase) {
  const proxy = await openPostgresProxy(database.url);
  const proxied = openTestPool(proxy.url, { connectionsMax: 2 });
  return { proxy, proxied };
}

/** Commits answers to the claim's lookups, by position; undefined leaves one open. */
async function commit(
  database: Database,
  claim: Claim | undefined,
  answers: readonly (LookupResult['answer'] | undefined)[],
): Promise<void> {
  if (claim === undefined) throw new Error('There is no claim.');
  const results = claim.lookups.flatMap(({ lookupId }, i) => {
    const answer = answers[i];
    return answer === undefined ? [] : [{ lookupId, source: 'upstream', answer }];
  });
  await createOutcomeStore(database.sql).commit(claim, results);
}

function foundAds(...ads: readonly Ad[]): LookupResult['answer'] {
  return { kind: 'found', ads, matchedBy: 'domain' };
}

function ad(changes: Partial<Ad>): Ad {
  return {
    advertiserId: 'google:AR-1',
    creativeId: 'google:cr-1',
    advertiserName: 'Acme Inc.',
    format: 'Image',
    originalUrl: 'https://ads.test/1',
    variants: [variant('<img>')],
    start: '2026-01-01',
    lastSeen: '2026-11-01',
    text: null,
    ...changes,
  };
}

function variant(content: string) {
  return { content, height: 250, width: null };
}

const noTexts = { headline: null, description: null, displayUrl: null, finalUrl: null, adType: null };

function textAd(headline: string): Ad {
  return {
    advertiserId: null,
    creativeId: null,
    advertiserName: null,
    format: null,
    originalUrl: null,
    variants: [],
    start: null,
    lastSeen: null,
    text: { ...noTexts, headline, finalUrl: 'https://a.test/' },
  };
}

async function adsOf(database: TestDatabase, claim: Claim): Promise<readonly (readonly Ad[])[]> {
  const ids = claim.lookups.map(({ lookupId }) => lookupId);
  const ads = await readAdsOf(database.app.sql, ids);
  return ids.map((lookupId) => ads.get(lookupId) ?? []);
}

async function readLookups({ app }: TestDatabase): Promise<readonly unknown[]> {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `SELECT outcome, reason, source, matched_by, ads_count, charged_micro::integer AS charged FROM nightshift.all_lookups ORDER BY id`,
  );
  return rows;
}

async function readChunks({ app }: TestDatabase): Promise<readonly unknown[]> {
  const { rows } = await app.pool.query<Record<string, unknown>>(
    `SELECT state, lookups, found, none, no_match, failed, charged_micro::integer AS charged FROM nightshift.chunks ORDER BY id`,
  );
  return rows;
}

function readBalance({ app }: TestDatabase) {
  return createLedger(app.sql).readBalance(defaultAccountId);
}

async function countRows({ app }: TestDatabase, table: string): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM nightshift.${table}`,
  );
  return rows[0]?.n ?? 0;
}

/** Resolves when a session of this database waits for a lock of another. */
async function untilSomebodyWaits({ owner }: TestDatabase): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.pool.query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
    );
    if (rowCount !== 0) return;
  }
}

/** Every row that a commit may write, so that two dumps are equal only if nothing changed. */
async function dumpRecord({ owner }: TestDatabase): Promise<readonly unknown[]> {
  const tables = ['lookups', 'chunks', 'batches', 'ledger_entries', 'ledger_blocks', 'credit_balances'];
  tables.push('ads', 'ad_versions', 'ad_variants', 'answers');
  const dumps = tables.map((table) =>
    owner.pool.query<Record<string, unknown>>(
      `SELECT to_jsonb(t) AS row FROM nightshift.${table} t ORDER BY t::text`,
    ),
  );
  return (await Promise.all(dumps)).map(({ rows }) => rows);
}

import { expect, test } from 'vitest';
import {
  createAdvertiserCandidateStore,
  recordCandidates,
} from '../../../db/stores/ads/advertiser-candidates.ts';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import { advertiserRoles } from '../../../src/core/companies/company-mapping.ts';
import type { ReportedCandidate } from '../../../src/core/companies/advertiser-candidates.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { defaultAccountId } from '../../support/sources/snapshots.ts';

const here = { actor: 'cli', address: null };

function candidate(advertiserId: string, more: Partial<ReportedCandidate> = {}): ReportedCandidate {
  return {
    accountId: defaultAccountId,
    companyKey: 'd:nike.com',
    advertiserId,
    name: 'Nike Media',
    legalName: null,
    location: 'DE',
    verification: 'VERIFIED',
    adsCount: 3,
    confidence: 0.5,
    reasons: ['name_within', 'adds_generic_word'],
    source: 'snapshot',
    lookupId: 7n,
    ...more,
  };
}

async function fixture() {
  const database = await openTestDatabase();
  const { sql } = database.app;
  return {
    database,
    store: createAdvertiserCandidateStore(sql),
    mappings: createCompanyMappingStore(sql),
    record: (...reported: readonly ReportedCandidate[]) => recordCandidates(sql, reported),
  };
}

test('candidates are listed by their confidence, page by page, for one account and company', async () => {
  const { store, record } = await fixture();
  await record(
    candidate('AR1', { confidence: 0.304 }),
    candidate('AR2', { confidence: 0.87 }),
    candidate('AR3', { companyKey: 'n:apex', confidence: 0.87 }),
    candidate('AR4', { accountId: 99, confidence: 0.6 }),
    candidate('AR5', { confidence: 0.87 }),
  );
  const all = await store.list(defaultAccountId, { limit: 10 });
  expect(all.map(({ advertiserId }) => advertiserId)).toEqual(['AR2', 'AR5', 'AR3', 'AR1']);
  expect(all[3]).toEqual({
    companyKey: 'd:nike.com',
    advertiserId: 'AR1',
    name: 'Nike Media',
    legalName: null,
    location: 'DE',
    verification: 'VERIFIED',
    adsCount: 3,
    confidence: 0.3,
    reasons: ['name_within', 'adds_generic_word'],
    source: 'snapshot',
    firstSeenAt: expect.any(Date) as unknown,
    lastSeenAt: expect.any(Date) as unknown,
    lookupId: 7n,
  });

  const paged: string[] = [];
  for (let after = undefined as (typeof all)[number] | undefined; ;) {
    const [next] = await store.list(defaultAccountId, { limit: 1, after });
    if (next === undefined) break;
    paged.push(next.advertiserId);
    after = next;
  }
  expect(paged).toEqual(['AR2', 'AR5', 'AR3', 'AR1']);

  const ofApex = await store.list(defaultAccountId, { companyKey: 'n:apex', limit: 10 });
  expect(ofApex.map(({ advertiserId }) => advertiserId)).toEqual(['AR3']);
  expect(await store.count(defaultAccountId)).toEqual({ advertisers: 4, companies: 2 });
  expect(await store.count(defaultAccountId, { companyKey: 'n:apex' })).toEqual({
    advertisers: 1,
    companies: 1,
  });
});

test.each(advertiserRoles)(
  'an advertiser with the role %s is no candidate until it is unmapped',
  async (role) => {
    const { store, mappings, record } = await fixture();
    await record(candidate('AR1'), candidate('AR1', { companyKey: 'n:apex' }));
    await mappings.map(
      defaultAccountId,
      [{ companyKey: 'd:nike.com', advertiserId: 'AR1', role, note: null }],
      here,
    );
    expect(await store.list(defaultAccountId, { limit: 10 })).toMatchObject([{ companyKey: 'n:apex' }]);
    expect(await store.count(defaultAccountId)).toEqual({ advertisers: 1, companies: 1 });
    await mappings.remove(defaultAccountId, 'd:nike.com', null, here);
    expect(await store.list(defaultAccountId, { limit: 10 })).toHaveLength(2);
  },
);

test('a repeated report replaces everything but the first time', async () => {
  const { database, store, record } = await fixture();
  await record();
  await record(candidate('AR1'));
  await database.owner.pool.query(
    `UPDATE nightshift.advertiser_candidates SET first_seen_at = '2024-01-01Z', last_seen_at = '2024-01-01Z'`,
  );
  const latest = candidate('AR1', {
    name: null,
    confidence: 0.001,
    reasons: [],
    adsCount: null,
    lookupId: 9n,
  });
  await record(candidate('AR1', { confidence: 0.9 }), latest);
  const [found, ...others] = await store.list(defaultAccountId, { limit: 10 });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ name: null, confidence: 0.01, reasons: [], adsCount: null, lookupId: 9n });
  expect(found?.firstSeenAt).toEqual(new Date('2024-01-01Z'));
  expect(found?.lastSeenAt.getTime()).toBeGreaterThan(Date.parse('2025-01-01'));
});

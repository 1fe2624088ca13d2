import { expect, test } from 'vitest';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import type { AdvertiserRole, MappingEntry } from '../../../src/core/companies/company-mapping.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { defaultAccountId } from '../../support/sources/snapshots.ts';

const here = { actor: 'cli', address: null };

function entry(companyKey: string, advertiserId: string, role: AdvertiserRole = 'allow'): MappingEntry {
  return { companyKey, advertiserId, role, note: null };
}

async function fixture() {
  const database = await openTestDatabase();
  return { database, store: createCompanyMappingStore(database.app.sql) };
}

async function readAudit({ owner }: TestDatabase) {
  const { rows } = await owner.pool.query<{ event: string; actor: string; details: unknown }>(
    'SELECT event, actor, details FROM nightshift.audit_log ORDER BY id',
  );
  return rows;
}

test('a company has its mapped advertisers with their roles', async () => {
  const { store } = await fixture();
  const entries = [
    entry('d:nike.com', 'google:AR2', 'agency'),
    entry('d:nike.com', 'google:AR1'),
    entry('n:apex', 'google:AR1', 'deny'),
  ];
  expect(await store.map(defaultAccountId, entries, here)).toEqual({ added: 3 });
  const found = await store.find(defaultAccountId, ['d:nike.com', 'n:apex', 'd:unknown.com', 'n:apex']);
  expect([...found]).toEqual([
    [
      'd:nike.com',
      [
        { advertiserId: 'google:AR1', role: 'allow' },
        { advertiserId: 'google:AR2', role: 'agency' },
      ],
    ],
    ['n:apex', [{ advertiserId: 'google:AR1', role: 'deny' }]],
  ]);
  expect(await store.find(defaultAccountId, [])).toEqual(new Map());
});

test('mapping again updates the role and the time of the check, and keeps the note', async () => {
  const { database, store } = await fixture();
  await store.map(defaultAccountId, [{ ...entry('d:nike.com', 'google:AR1'), note: 'asked them' }], here);
  await database.owner.pool.query(
    `UPDATE nightshift.company_advertisers SET checked_at = now() - interval '1 year'`,
  );
  const [before] = await store.list(defaultAccountId);
  expect(await store.map(defaultAccountId, [entry('d:nike.com', 'google:AR1', 'deny')], here)).toEqual({
    added: 0,
  });
  const [after] = await store.list(defaultAccountId);
  expect(after).toMatchObject({ role: 'deny', note: 'asked them' });
  expect(after?.checkedAt.getTime()).toBeGreaterThan((before?.checkedAt.getTime() ?? 0) + 300 * 86_400_000);
  await store.map(defaultAccountId, [{ ...entry('d:nike.com', 'google:AR1'), note: '' }], here);
  expect(await store.list(defaultAccountId)).toMatchObject([{ role: 'allow', note: null }]);
});

test('the last entry wins among entries of the same advertiser and company', async () => {
  const { store } = await fixture();
  const entries = [entry('d:nike.com', 'google:AR1'), entry('d:nike.com', 'google:AR1', 'deny')];
  expect(await store.map(defaultAccountId, entries, here)).toEqual({ added: 1 });
  expect(await store.list(defaultAccountId)).toMatchObject([{ advertiserId: 'google:AR1', role: 'deny' }]);
});

test('one advertiser or all of a company can be removed', async () => {
  const { store } = await fixture();
  const entries = ['google:AR1', 'google:AR2', 'google:AR3'].map((id) => entry('d:nike.com', id));
  await store.map(defaultAccountId, [...entries, entry('n:nike', 'google:AR1')], here);
  expect(await store.remove(defaultAccountId, 'd:nike.com', ['google:AR2', 'google:AR9'], here)).toEqual([
    { advertiserId: 'google:AR2', role: 'allow' },
  ]);
  expect(await store.list(defaultAccountId, { companyKey: 'd:nike.com' })).toHaveLength(2);
  expect(await store.remove(defaultAccountId, 'd:nike.com', null, here)).toHaveLength(2);
  expect(await store.list(defaultAccountId)).toMatchObject([
    { companyKey: 'n:nike', advertiserId: 'google:AR1' },
  ]);
});

test('a mapping of another account cannot be found, listed or removed', async () => {
  const { database, store } = await fixture();
  const { rows } = await database.owner.pool.query<{ id: string }>(
    `SELECT nightshift.create_account('other') AS id`,
  );
  const other = Number(rows[0]?.id);
  await store.map(other, [entry('d:nike.com', 'google:AR1')], here);
  expect(await store.find(defaultAccountId, ['d:nike.com'])).toEqual(new Map());
  expect(await store.list(defaultAccountId)).toEqual([]);
  expect(await store.remove(defaultAccountId, 'd:nike.com', null, here)).toEqual([]);
  expect(await store.list(other)).toHaveLength(1);
});

test('every change is in the audit log, and a repeat without change is not', async () => {
  const { database, store } = await fixture();
  await store.map(defaultAccountId, [entry('d:nike.com', 'google:AR1')], here);
  await store.map(defaultAccountId, [], here);
  await store.remove(defaultAccountId, 'd:nike.com', ['google:AR9'], here);
  await store.remove(defaultAccountId, 'd:nike.com', null, here);
  const line = { company_key: 'd:nike.com', advertiser_id: 'google:AR1', role: 'allow' };
  expect(await readAudit(database)).toEqual([
    { event: 'companies_mapped', actor: 'cli', details: { mapped: [line] } },
    { event: 'companies_unmapped', actor: 'cli', details: { removed: [line] } },
  ]);
});

test('thousands of entries are stored in one transaction', async () => {
  const { database, store } = await fixture();
  const entries = Array.from({ length: 2_500 }, (_, i) => entry(`d:firm${i}.com`, `AR${i}`));
  const broken = [...entries, entry('n:zero\0byte', 'google:AR1')];
  await expect(store.map(defaultAccountId, broken, here)).rejects.toThrow();
  expect(await store.list(defaultAccountId)).toEqual([]);
  expect(await readAudit(database)).toEqual([]);
  expect(await store.map(defaultAccountId, entries, here)).toEqual({ added: 2_500 });
  expect(await readAudit(database)).toHaveLength(3);
});

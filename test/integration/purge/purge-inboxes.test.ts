import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createErasure } from '../../../db/stores/purge/erase-address.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { countPurge, purge } from '../../../src/core/purge/purge.ts';
import { columnOf } from '../../support/db/record-dump.ts';
import { listOf, openTestInboxes } from '../../support/inboxes/test-inboxes.ts';

const orders = { orders: [{ kind: 'batches' as const, ageMs: 30 * 86_400_000 }] };

test('purge deletes the files of inboxes that were removed long ago, and keeps those of others', async () => {
  const api = await openTestInboxes();
  const store = createPurgeStore(api.database.app.sql, { perRound: 2, sweepWaitMs: 20_000 });
  for (const name of ['kept', 'removed', 'fresh']) await api.add({ name });
  for (const name of 'abc') api.write(`${name}.csv`, listOf(name));
  for (const name of ['kept', 'removed', 'fresh']) await api.look(name);
  for (const name of ['removed', 'fresh']) await api.app.inboxes.store.remove(api.accountId, name);
  await api.database.owner.sql.execute(
    sql`UPDATE nightshift.inboxes SET state_since = now() - interval '40 days' WHERE name = 'removed'`,
  );
  const would = await countPurge(store, orders);
  const { kinds } = await purge(store, orders);
  expect(kinds[0]?.counts).toMatchObject({ batches: 0, inboxes: 1, files: 3 });
  expect(would.kinds[0]?.counts).toEqual(kinds[0]?.counts);
  const left = `SELECT i.name FROM nightshift.inbox_files f JOIN nightshift.inboxes i ON i.id = f.inbox_id GROUP BY 1 ORDER BY 1`;
  expect(await columnOf(api.database, left)).toEqual(['fresh', 'kept']);
  expect((await purge(store, orders)).kinds[0]?.counts).toMatchObject({ inboxes: 0, files: 0 });
  expect(await api.findings()).toEqual([]);
});

test('erasure removes an address from the reasons of failed files', async () => {
  const api = await openTestInboxes();
  await api.add();
  api.write('a.csv', 'colour,size\nred,1\n');
  await api.look();
  await api.database.owner.sql.execute(
    sql`UPDATE nightshift.inbox_files SET reason = 'line 2: Jane.Doe@acme.com is no domain'`,
  );
  const address = parseAddress('jane.doe@acme.com');
  if (address.kind !== 'address') throw new Error('The address cannot be parsed.');
  await createErasure(api.database.app.sql).erase(address.address);
  expect((await api.files())[0]?.reason).toBe('line 2: [erased] is no domain');
});

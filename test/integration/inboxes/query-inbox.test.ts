import { beforeEach, expect, test } from 'vitest';
import type { InboxTerms } from '../../../src/core/inboxes/inbox.ts';
import { closedPort, openOwnDatabase, type OwnDatabase } from '../../support/inboxes/own-database.ts';
import { openTestInboxes, type TestInboxes } from '../../support/inboxes/test-inboxes.ts';

let own: OwnDatabase;
let api: TestInboxes;
beforeEach(async () => {
  own = await openOwnDatabase();
  api = await openTestInboxes({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: own.allowedHosts } });
});

async function add(changes: Partial<InboxTerms> = {}) {
  const query = 'SELECT id, domain FROM crm.accounts ORDER BY id';
  return api.add({ location: own.location, query, ...changes }, own.credentials);
}

const rowsOf = async () => (await api.batches()).map(({ rows }) => rows.total).toReversed();

test('rows newer than the last become one batch per look, each row once', async () => {
  await add({ newerBy: 'id' });
  await api.look();
  expect(await api.batches()).toEqual([]);
  await own.insert(1, 3);
  await api.look();
  await api.look();
  await own.insert(4, 5);
  const inbox = await api.look();
  expect(inbox).toMatchObject({ lastError: null, files: { loaded: 2 } });
  expect(await rowsOf()).toEqual([3, 2]);
  expect((await api.batches())[0]?.fileName).toBe('lists.csv');
  expect(await api.findings()).toEqual([]);
});

test('a query without a column for newer rows is a batch whenever its rows have changed', async () => {
  await add();
  await own.insert(1, 2);
  await api.look();
  await api.look();
  await own.insert(3, 3);
  await api.look();
  expect(await rowsOf()).toEqual([2, 3]);
});

test('rows that cannot be loaded are read again once the columns are mapped', async () => {
  await add({
    newerBy: 'id',
    query: "SELECT id, domain AS colour, 'x' AS size FROM crm.accounts WHERE id > 0",
  });
  await own.client.query("INSERT INTO crm.accounts VALUES (1, 'red'), (2, 'blue')");
  await api.look();
  await api.look();
  expect(await api.states()).toEqual(['lists.csv: failed']);
  expect(await api.events('inbox.file_failed')).toHaveLength(1);
  await api.app.inboxes.store.edit(api.accountId, 'lists', {
    fileOptions: { map: { company_name: 'colour' } },
  });
  await api.app.inboxes.store.retry(api.accountId, 'lists', 'lists.csv');
  await api.look();
  expect(await api.states()).toEqual(['lists.csv: loaded']);
  expect(await rowsOf()).toEqual([2]);
  expect(await api.findings()).toEqual([]);
});

test('a rejected query shows its mistake, and never the password', async () => {
  await add({ query: 'SELECT colour FROM crm.accounts' });
  const inbox = await api.look();
  expect(inbox.lastError).toContain('rejects the query: column "colour" does not exist.');
  expect(JSON.stringify(inbox)).not.toContain(own.credentials.password);
  expect(await api.events('inbox.failing')).toHaveLength(1);
});

test('a server that does not answer is reported after three looks, and tried again with growing delays', async () => {
  await add({ location: { ...own.location, port: closedPort } });
  const delays: number[] = [];
  for (const events of [0, 0, 1, 1]) {
    const { nextAt, readAt, lastError } = await api.look();
    expect(lastError).toContain('cannot be reached');
    delays.push(((nextAt?.getTime() ?? 0) - readAt.getTime()) / 1000);
    expect(await api.events('inbox.failing')).toHaveLength(events);
  }
  // At most, because the pattern may be due earlier.
  expect(delays.every((delay, i) => delay <= 30 * 2 ** i)).toBe(true);
});

test('a location tells the columns of its query before it is added', async () => {
  const place = {
    location: own.location,
    pattern: null,
    query: 'SELECT id, domain FROM crm.accounts',
    newerBy: 'id',
  };
  const access = { credentials: own.credentials, isOperators: true };
  const signal = new AbortController().signal;
  expect(await api.app.inboxes.tryLocation({ ...place, ...access }, signal)).toMatchObject({
    ...{ columns: ['id', 'domain'], files: [] },
  });
});

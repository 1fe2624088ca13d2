import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createInboxFileStore } from '../../../db/stores/inboxes/inbox-files.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { ClaimedInbox, InboxFileStore } from '../../../src/core/inboxes/inbox-store.ts';
import { openTestInboxes, type TestInboxes } from '../../support/inboxes/test-inboxes.ts';

const leaseMs = 60_000;
/** Lease that has already expired, of a process that is frozen or dead. */
const lapsed = -1000;
const listed = [{ path: 'a.csv', bytes: 5, modifiedAt: null, version: '1' }];
const end = { contentSha256: null, pending: null, target: null, cursor: null };

let api: TestInboxes;
let files: InboxFileStore;
let inbox: string;
beforeEach(async () => {
  api = await openTestInboxes();
  files = createInboxFileStore(api.database.app.sql);
  inbox = (await api.add()).publicId;
});

async function claim(ms = leaseMs): Promise<ClaimedInbox> {
  await api.app.inboxes.store.pollNow(api.accountId, 'lists');
  const claimed = await files.claim(inbox, ms);
  if (claimed === null) throw new Error('The inbox was not claimed.');
  return claimed;
}

test('an inbox that is claimed is neither listed as due nor claimed again, however often it is due', async () => {
  await claim();
  await api.app.inboxes.store.pollNow(api.accountId, 'lists');
  expect(await files.listDue(10)).toEqual([]);
  expect(await files.claim(inbox, leaseMs)).toBeNull();
});

test('an inbox whose holder died is due at once, and its files are ready again', async () => {
  const dead = await claim(lapsed);
  await files.recordSeen(dead, listed, { isAtomic: true });
  await files.takeNext(dead);
  expect(await files.listDue(10)).toEqual([inbox]);
  await files.claim(inbox, leaseMs);
  expect(await api.states()).toEqual(['a.csv: ready']);
});

test('a holder whose claim another process has taken over changes nothing any more', async () => {
  const frozen = await claim(lapsed);
  await files.recordSeen(frozen, listed, { isAtomic: true });
  const file = await files.takeNext(frozen);
  if (file === null) throw new Error('There is no file.');
  const holder = await claim();
  await files.takeNext(holder);
  const late: readonly (() => Promise<unknown>)[] = [
    () => files.renew(frozen, leaseMs),
    () => files.recordSeen(frozen, listed, { isAtomic: true }),
    () => files.endListing(frozen),
    () => files.takeNext(frozen),
    () => files.takeRows(frozen, { path: 'a.csv', version: '2', bytes: 1 }),
    () => files.join(frozen, file, 1, end),
    () => files.fail(frozen, file, 'late', end),
    () => files.ignore(frozen, file, 'late'),
    () => files.waitAgain(frozen, file),
    () => files.putOff(frozen, file, { reason: 'late', delayMs: 0, counts: true }),
    () =>
      files.endPending(frozen, { ...file, pending: 'move', target: 'x', state: 'failed', reason: '' }, 'x'),
    () => files.release(frozen, { kind: 'done' }),
  ];
  for (const step of late) await expect(step()).rejects.toThrow(LeaseLost);
  expect(await api.states()).toEqual(['a.csv: loading']);
  expect(await api.events('inbox.file_failed')).toEqual([]);
});

test('a removed inbox loses its credentials and its claim', async () => {
  await api.database.owner.sql.execute(
    sql`UPDATE nightshift.inboxes SET credentials = '{"password": "hunter2"}'`,
  );
  const holder = await claim();
  await api.app.inboxes.store.remove(api.accountId, 'lists');
  await expect(files.takeNext(holder)).rejects.toThrow(LeaseLost);
  const { rows } = await api.database.owner.sql.execute(sql`SELECT credentials FROM nightshift.inboxes`);
  expect(rows).toEqual([{ credentials: null }]);
});

import { eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Conflict } from '../../../src/core/errors.ts';
import type { InboxFile } from '../../../src/core/inboxes/inbox.ts';
import type { InboxAccess, InboxStore } from '../../../src/core/inboxes/inbox-store.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { inboxes } from '../../schema/inboxes.ts';
import { addInbox, editInbox } from './edit-inbox.ts';
import { findFile, noSuchFile, selectFiles } from './inbox-file-rows.ts';
import { isNamed, noSuchInbox, readInbox, selectInboxes } from './inbox-rows.ts';
import { lockOwn, type LockedInbox } from './lock-inbox.ts';

/** Inboxes in `nightshift.inboxes`; each change is one transaction. */
export function createInboxStore(db: NodePgDatabase): InboxStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  /** Locks an inbox, changes it and reads it. */
  const change = (
    accountId: number,
    inbox: string,
    work: (each: Sql, locked: LockedInbox) => Promise<unknown>,
  ) =>
    inTransaction(async (each) => {
      const locked = await lockOwn(each, accountId, inbox);
      await work(each, locked);
      await notifyWorkers(each);
      return readInbox(each, accountId, locked.publicId);
    });
  return {
    add: (accountId, terms, access, kept) =>
      inTransaction(async (each) => {
        const added = await addInbox(each, accountId, terms, { access, kept });
        await notifyWorkers(each);
        return added;
      }),
    list: (accountId, limit, before) => withDatabase(() => listInboxes(db, accountId, limit, before)),
    read: (accountId, inbox) => withDatabase(() => readInbox(db, accountId, inbox)),
    readAccess: (accountId, inbox) => withDatabase(() => readAccess(db, accountId, inbox)),
    edit: (accountId, inbox, changes, access) =>
      change(accountId, inbox, async (each, locked) => {
        const before = await readInbox(each, accountId, locked.publicId);
        await editInbox(each, locked, before, { changes, access });
      }),
    pause: (accountId, inbox) => change(accountId, inbox, pause),
    resume: (accountId, inbox) => change(accountId, inbox, resume),
    remove: (accountId, inbox) =>
      inTransaction(async (each) => remove(each, await lockOwn(each, accountId, inbox))),
    pollNow: (accountId, inbox) => change(accountId, inbox, pollNow),
    listFiles: (accountId, inbox, options) => withDatabase(() => listFiles(db, accountId, inbox, options)),
    retry: (accountId, inbox, file) =>
      inTransaction(async (each) => {
        const retried = await retry(each, await lockOwn(each, accountId, inbox), file);
        await notifyWorkers(each);
        return retried;
      }),
  };
}

async function listInboxes(db: Sql, accountId: number, limit: number, before?: string) {
  const ofAccount = sql`i.account_id = ${accountId}`;
  if (before === undefined) return selectInboxes(db, ofAccount, limit);
  return selectInboxes(db, sql`${ofAccount} AND i.id < ${await findListed(db, accountId, before)}`, limit);
}

/** A page continues after its cursor, even if that inbox was removed since. */
async function findListed(db: Sql, accountId: number, publicId: string): Promise<number> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT i.id FROM nightshift.inboxes i WHERE i.account_id = ${accountId} AND i.public_id = ${publicId}`,
  );
  const [row] = found.rows;
  if (row === undefined) throw noSuchInbox(publicId);
  return Number(row.id);
}

async function readAccess(db: Sql, accountId: number, inbox: string): Promise<InboxAccess> {
  const found = await db.execute<{ credentials: Credentials | null; is_operators: boolean }>(
    sql`SELECT i.credentials, i.is_operators FROM nightshift.inboxes i WHERE ${isNamed(accountId, inbox)} AND i.state <> 'removed'`,
  );
  const [row] = found.rows;
  if (row === undefined) throw noSuchInbox(inbox);
  return { credentials: row.credentials, isOperators: row.is_operators };
}

async function pause(db: Sql, { inboxId, state }: LockedInbox): Promise<void> {
  if (state === 'paused') return;
  const paused = { state: 'paused', stateSince: sql`now()`, nextAt: null } as const;
  await db.update(inboxes).set(paused).where(eq(inboxes.id, inboxId));
}

async function resume(db: Sql, { inboxId, state }: LockedInbox): Promise<void> {
  if (state === 'active') return;
  const active = { state: 'active', stateSince: sql`now()`, nextAt: sql`now()` } as const;
  await db.update(inboxes).set(active).where(eq(inboxes.id, inboxId));
}

/** Ends the claim as well: a load that is under way cannot end any more. */
async function remove(db: Sql, { inboxId }: LockedInbox): Promise<void> {
  await db
    .update(inboxes)
    .set({
      state: 'removed',
      stateSince: sql`now()`,
      nextAt: null,
      credentials: null,
      cursor: null,
      leaseToken: null,
      leaseUntil: null,
    })
    .where(eq(inboxes.id, inboxId));
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'ignored', reason = 'The inbox was removed before it was loaded.', settled_at = now()
      WHERE inbox_id = ${inboxId} AND settled_at IS NULL`,
  );
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET pending = NULL, target = NULL WHERE inbox_id = ${inboxId} AND pending IS NOT NULL`,
  );
}

async function pollNow(db: Sql, { inboxId, name, state }: LockedInbox): Promise<void> {
  if (state === 'paused') {
    throw new Conflict(`The inbox "${name}" is paused. Resume it to look into it.`);
  }
  await db
    .update(inboxes)
    .set({ nextAt: sql`now()` })
    .where(eq(inboxes.id, inboxId));
}

async function listFiles(
  db: Sql,
  accountId: number,
  inbox: string,
  { limit, before, state }: Parameters<InboxStore['listFiles']>[2],
): Promise<readonly InboxFile[]> {
  const { inboxId } = await readInbox(db, accountId, inbox);
  const from = before === undefined ? sql`true` : sql`f.id < ${await findFile(db, inboxId, before)}`;
  const inState = state === undefined ? sql`true` : sql`f.state = ${state}`;
  return selectFiles(db, sql`f.inbox_id = ${inboxId} AND ${from} AND ${inState}`, limit);
}

async function retry(db: Sql, { inboxId, state }: LockedInbox, file: string): Promise<InboxFile> {
  const named = sql`f.inbox_id = ${inboxId} AND (f.public_id = ${file} OR f.path = ${file})`;
  const [found] = await selectFiles(db, named, 1);
  if (found === undefined) throw noSuchFile(file);
  if (found.state !== 'failed') {
    throw new Conflict(`${found.path} is ${found.state}. Only a failed file can be loaded once more.`);
  }
  const one = sql`f.public_id = ${found.publicId}`;
  const retried = await db.execute(
    sql`UPDATE nightshift.inbox_files f SET state = 'ready', reason = NULL, settled_at = NULL, attempts = 0, next_at = now(),
        seen_at = now()
      WHERE ${one} AND f.pending IS NULL`,
  );
  if (retried.rowCount === 0) {
    throw new Conflict(`${found.path} is still being moved to failed/. Try again in a moment.`);
  }
  if (state === 'active') {
    await db
      .update(inboxes)
      .set({ nextAt: sql`now()` })
      .where(eq(inboxes.id, inboxId));
  }
  const [ready] = await selectFiles(db, one, 1);
  if (ready === undefined) throw noSuchFile(file);
  return ready;
}

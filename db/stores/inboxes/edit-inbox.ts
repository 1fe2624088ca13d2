import { and, count, eq, ne, sql } from 'drizzle-orm';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { Conflict } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { assertTermsFit, type Inbox, type InboxTerms } from '../../../src/core/inboxes/inbox.ts';
import { inboxesPerAccountMax, type InboxAccess } from '../../../src/core/inboxes/inbox-store.ts';
import { formatLocation } from '../../../src/core/storage/location.ts';
import type { Sql } from '../../connection/client.ts';
import { inboxes } from '../../schema/inboxes.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { rejectZone } from '../schedules/edit-schedule.ts';
import { readInbox } from './inbox-rows.ts';
import type { LockedInbox } from './lock-inbox.ts';

/** See `InboxStore.add`. The caller's transaction. The first look is due at once. */
export async function addInbox(
  db: Sql,
  accountId: number,
  terms: InboxTerms,
  { access, kept }: { readonly access: InboxAccess; readonly kept: StoredResponse<Inbox> | null | undefined },
): Promise<Inbox> {
  assertTermsFit(terms);
  await rejectZone(db, terms.timeZone);
  await rejectTooMany(db, accountId);
  const publicId = newId('inb', Date.now());
  const columns = { ...columnsOfTerms(terms), ...access, publicId, accountId, nextAt: sql`now()` };
  const inserted = await db.insert(inboxes).values(columns).onConflictDoNothing();
  if (inserted.rowCount === 0) throw nameIsTaken(terms.name);
  const inbox = await readInbox(db, accountId, publicId);
  await keepAnswer(db, kept, inbox);
  return inbox;
}

async function rejectTooMany(db: Sql, accountId: number): Promise<void> {
  const [counted] = await db
    .select({ inboxes: count() })
    .from(inboxes)
    .where(and(eq(inboxes.accountId, accountId), ne(inboxes.state, 'removed')));
  if ((counted?.inboxes ?? 0) < inboxesPerAccountMax) return;
  throw new Conflict(`The account has ${inboxesPerAccountMax} inboxes, the maximum. Remove one first.`);
}

/** See `InboxStore.edit`. Another location or query begins anew, without the position of the earlier one. */
export async function editInbox(
  db: Sql,
  { inboxId, accountId, state }: LockedInbox,
  before: Inbox,
  { changes, access }: { readonly changes: Partial<InboxTerms>; readonly access: InboxAccess | undefined },
): Promise<void> {
  const after = { ...before, ...changes };
  assertTermsFit(after);
  if (changes.timeZone !== undefined) await rejectZone(db, changes.timeZone);
  const isElsewhere =
    formatLocation(after.location) !== formatLocation(before.location) ||
    after.query !== before.query ||
    after.newerBy !== before.newerBy;
  const ticksAnew = changes.cron !== undefined || changes.timeZone !== undefined;
  const columns = {
    ...columnsOfTerms(changes),
    ...access,
    ...(isElsewhere ? { cursor: null } : {}),
    // A changed place, secret or pattern is tried at once.
    ...(state === 'active' && (isElsewhere || ticksAnew || access !== undefined)
      ? { nextAt: sql`now()` }
      : {}),
  };
  if (Object.values(columns).every((value) => value === undefined)) return;
  await rejectName(db, { inboxId, accountId }, changes.name);
  await db.update(inboxes).set(columns).where(eq(inboxes.id, inboxId));
}

type InboxColumns = typeof inboxes.$inferInsert;

/** Columns of the given fields; a search without options is stored as null. */
function columnsOfTerms<Terms extends Partial<InboxTerms>>(terms: Terms): Terms & Partial<InboxColumns> {
  return terms.search === anySearch ? { ...terms, search: null } : terms;
}

async function rejectName(
  db: Sql,
  { inboxId, accountId }: Pick<LockedInbox, 'inboxId' | 'accountId'>,
  name: string | undefined,
) {
  if (name === undefined) return;
  const { id, state } = inboxes;
  const isAnother = and(ne(state, 'removed'), ne(id, inboxId));
  const [taken] = await db
    .select({ id })
    .from(inboxes)
    .where(and(eq(inboxes.accountId, accountId), eq(inboxes.name, name), isAnother));
  if (taken !== undefined) throw nameIsTaken(name);
}

function nameIsTaken(name: string): Conflict {
  return new Conflict(`There is an inbox "${name}" already. Choose another name.`);
}

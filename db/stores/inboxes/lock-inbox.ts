import { sql } from 'drizzle-orm';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { ClaimedInbox } from '../../../src/core/inboxes/inbox-store.ts';
import type { Sql } from '../../connection/client.ts';
import { isNamed, noSuchInbox } from './inbox-rows.ts';

/** An inbox that is locked until the transaction ends. */
export interface LockedInbox {
  readonly inboxId: number;
  readonly publicId: string;
  readonly accountId: number;
  readonly name: string;
  readonly state: 'active' | 'paused' | 'removed';
  readonly cron: string;
  readonly timeZone: string;
  /** The time of the transaction. */
  readonly now: Date;
}

interface LockedRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly state: LockedInbox['state'];
  readonly cron: string;
  readonly time_zone: string;
  readonly now: string;
}

/** Locks an inbox of an account by its name or public id. @throws NotFound */
export async function lockOwn(db: Sql, accountId: number, inbox: string): Promise<LockedInbox> {
  const found = await db.execute<LockedRow>(
    sql`SELECT i.id, i.public_id, i.account_id, i.name, i.state, i.cron, i.time_zone, now() AS now FROM nightshift.inboxes i
      WHERE ${isNamed(accountId, inbox)} AND i.state <> 'removed' FOR NO KEY UPDATE`,
  );
  const [row] = found.rows;
  if (row === undefined) throw noSuchInbox(inbox);
  return toLocked(row);
}

/** Locks a claimed inbox. @throws LeaseLost when another process has claimed it since, or it was removed. */
export async function lockClaimed(
  db: Sql,
  { inboxId, token }: Pick<ClaimedInbox, 'inboxId' | 'token'>,
): Promise<LockedInbox> {
  const found = await db.execute<LockedRow>(
    sql`SELECT i.id, i.public_id, i.account_id, i.name, i.state, i.cron, i.time_zone, now() AS now FROM nightshift.inboxes i
      WHERE i.id = ${inboxId} AND i.lease_token = ${token} FOR NO KEY UPDATE`,
  );
  const [row] = found.rows;
  if (row === undefined) throw new LeaseLost('Another process looks into the inbox, or it was removed.');
  return toLocked(row);
}

function toLocked(row: LockedRow): LockedInbox {
  return {
    inboxId: Number(row.id),
    publicId: row.public_id,
    accountId: Number(row.account_id),
    name: row.name,
    state: row.state,
    cron: row.cron,
    timeZone: row.time_zone,
    now: new Date(row.now),
  };
}

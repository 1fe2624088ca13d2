import { sql, type SQL } from 'drizzle-orm';
import { wholeSearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { NotFound } from '../../../src/core/errors.ts';
import {
  inboxFileStates,
  type AfterPolicy,
  type Inbox,
  type InboxFileOptions,
  type InboxFileState,
  type InboxTerms,
} from '../../../src/core/inboxes/inbox.ts';
import type { Location } from '../../../src/core/storage/location.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { cappedCountSql } from '../sql/capped-count.ts';

/** Terms of an inbox, as `termColumnsSql` selects them. */
export interface TermsRow extends Record<string, unknown> {
  readonly name: string;
  readonly location: Location;
  readonly cron: string;
  readonly time_zone: string;
  readonly pattern: string | null;
  readonly settle_ms: number;
  readonly after: AfterPolicy;
  readonly query: string | null;
  readonly newer_by: string | null;
  readonly file_options: InboxFileOptions;
  readonly operations: readonly Operation[] | null;
  readonly sources: readonly string[];
  readonly search: SearchOptions | null;
  readonly max_credits_micro: string | null;
  readonly again: boolean;
}

/** Columns of the terms of inbox `i`. */
export const termColumnsSql = sql`i.name, i.location, i.cron, i.time_zone, i.pattern, i.settle_ms, i.after, i.query, i.newer_by,
  i.file_options, i.operations, i.sources, i.search, i.max_credits_micro, i.again`;

export function toTerms(row: TermsRow): InboxTerms {
  return {
    name: row.name,
    location: row.location,
    cron: row.cron,
    timeZone: row.time_zone,
    pattern: row.pattern,
    settleMs: row.settle_ms,
    after: row.after,
    query: row.query,
    newerBy: row.newer_by,
    fileOptions: row.file_options,
    operations: row.operations,
    sources: row.sources,
    search: wholeSearch(row.search),
    maxCreditsMicro: row.max_credits_micro === null ? null : BigInt(row.max_credits_micro),
    again: row.again,
  };
}

interface InboxRow extends TermsRow {
  readonly id: string;
  readonly public_id: string;
  readonly has_credentials: boolean;
  readonly state: 'active' | 'paused';
  readonly next_at: string | null;
  readonly looked_at: string | null;
  readonly last_error: string | null;
  readonly failing_since: string | null;
  readonly files: Readonly<Record<InboxFileState, number>>;
  readonly created_at: string;
  readonly read_at: string;
}

const filesInStateSql = cappedCountSql(
  sql`nightshift.inbox_files f WHERE f.inbox_id = i.id AND f.state = s.state`,
);

/** Selects inboxes that meet the condition, without removed ones, newest first. */
export async function selectInboxes(db: Sql, condition: SQL, limit: number): Promise<readonly Inbox[]> {
  const found = await db.execute<InboxRow>(
    sql`SELECT i.id, i.public_id, ${termColumnsSql}, i.credentials IS NOT NULL AS has_credentials, i.state, i.next_at, i.looked_at,
        i.last_error, i.failing_since, i.created_at, now() AS read_at,
        (SELECT jsonb_object_agg(s.state, ${filesInStateSql}) FROM unnest(${texts(inboxFileStates)}) s(state)) AS files
      FROM nightshift.inboxes i WHERE i.state <> 'removed' AND ${condition} ORDER BY i.id DESC LIMIT ${limit}`,
  );
  return found.rows.map(toInbox);
}

/** Reads an inbox of an account by its name or public id. @throws NotFound */
export async function readInbox(db: Sql, accountId: number, inbox: string): Promise<Inbox> {
  const [found] = await selectInboxes(db, isNamed(accountId, inbox), 1);
  if (found === undefined) throw noSuchInbox(inbox);
  return found;
}

/** Condition that inbox `i` has this name or public id. */
export function isNamed(accountId: number, inbox: string): SQL {
  return sql`(i.account_id = ${accountId} AND (i.public_id = ${inbox} OR i.name = ${inbox}))`;
}

export function noSuchInbox(inbox: string): NotFound {
  return new NotFound(`There is no inbox "${inbox}". \`nightshift inbox list\` lists them.`);
}

function toInbox(row: InboxRow): Inbox {
  return {
    ...toTerms(row),
    inboxId: Number(row.id),
    publicId: row.public_id,
    hasCredentials: row.has_credentials,
    state: row.state,
    nextAt: toDate(row.next_at),
    lookedAt: toDate(row.looked_at),
    lastError: row.last_error,
    failingSince: toDate(row.failing_since),
    files: row.files,
    createdAt: new Date(row.created_at),
    readAt: new Date(row.read_at),
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

import { sql, type SQL } from 'drizzle-orm';
import type { PurgeScope } from '../../../src/core/purge/purge-store.ts';

/** A moment as a parameter. */
export function momentSql(moment: Date): SQL {
  return sql`${moment.toISOString()}::timestamptz`;
}

/** Condition that a record belongs to the account. */
function ofAccount(column: SQL, accountId: number | null): SQL {
  return accountId === null ? sql`true` : sql`${column} = ${accountId}`;
}

const isScan = sql`EXISTS (SELECT FROM nightshift.scans s WHERE s.batch_id = b.id)`;
const hasAddresses = sql`'email_validation' = ANY (b.operations)`;

/** Condition on batches `b` of the kind; false for kinds without batches. */
function isOfKind(kind: PurgeScope['kind']): SQL {
  if (kind === 'scans') return isScan;
  if (kind === 'addresses') return sql`NOT ${isScan} AND ${hasAddresses}`;
  return kind === 'batches' ? sql`NOT ${isScan} AND NOT ${hasAddresses}` : sql`false`;
}

/**
 * Ids of the batches in the scope to purge, including those of an interrupted purge, which still have rows or lookups. Excludes batches
 * that `nightshift.purge_batch` rejects.
 */
export function batchesIn({ kind, before, accountId }: PurgeScope): SQL {
  return sql`SELECT b.id FROM nightshift.batches b
    WHERE b.state IN ('finished', 'cancelled') AND b.finished_at < ${momentSql(before)}
      AND (b.purged_at IS NULL OR EXISTS (SELECT FROM nightshift.row_blocks r WHERE r.batch_id = b.id)
        OR EXISTS (SELECT FROM nightshift.lookups l WHERE l.batch_id = b.id))
      AND ${ofAccount(sql`b.account_id`, accountId)} AND ${isOfKind(kind)} AND NOT nightshift.is_needed_scan(b.id)`;
}

/** Moment before which data may be purged: its age is the minimum. */
export const purgeableSql: SQL = sql`now() - interval '1 day'`;

/** Id of the next batch that people deleted, and that still has rows or lookups. */
export const deletedBatches: SQL = sql`SELECT b.id FROM nightshift.batches b
    WHERE b.deleted_at IS NOT NULL AND b.finished_at < ${purgeableSql} AND NOT nightshift.is_needed_scan(b.id)
      AND (b.purged_at IS NULL OR EXISTS (SELECT FROM nightshift.row_blocks r WHERE r.batch_id = b.id)
        OR EXISTS (SELECT FROM nightshift.lookups l WHERE l.batch_id = b.id))
    ORDER BY b.id LIMIT 1`;

/** Operation of the single requests that belong to a kind; null: none. */
export function operationOfRequests(kind: PurgeScope['kind']): string | null {
  if (kind === 'searches') return 'ads_search';
  return kind === 'addresses' ? 'email_validation' : null;
}

/** Ids of the lookups in the scope. */
export function lookupsIn(scope: PurgeScope): SQL {
  const { kind, before, accountId } = scope;
  const operation = operationOfRequests(kind);
  return sql`SELECT l.id FROM nightshift.lookups l
      WHERE l.batch_id IN (${batchesIn(scope)})
    UNION ALL
    SELECT l.id FROM nightshift.lookups l
      WHERE l.request_id IS NOT NULL AND l.operation = ${operation}::text
        AND l.ended_at < ${momentSql(before)} AND ${ofAccount(sql`l.account_id`, accountId)}`;
}

/**
 * Ids of the removed schedules in the scope whose history is purged. `alsoBatches` assumes that the batches of the scope are
 * purged first.
 */
export function schedulesIn(scope: PurgeScope, { alsoBatches }: { readonly alsoBatches: boolean }): SQL {
  const { kind, before, accountId } = scope;
  const going = alsoBatches ? sql`AND s.batch_id NOT IN (${batchesIn(scope)})` : sql``;
  return sql`SELECT h.id FROM nightshift.schedules h
    WHERE ${kind} = 'scans' AND h.state = 'removed' AND h.state_since < ${momentSql(before)} AND h.file_content <> ''
      AND ${ofAccount(sql`h.account_id`, accountId)}
      AND NOT EXISTS (SELECT FROM nightshift.scans s
        WHERE s.schedule_id = h.id AND s.batch_id IS NOT NULL AND s.purged_at IS NULL ${going})`;
}

/** Ids of the removed inboxes in the scope whose list of files is purged. */
export function inboxesIn({ kind, before, accountId }: PurgeScope): SQL {
  return sql`SELECT i.id FROM nightshift.inboxes i
    WHERE ${kind} = 'batches' AND i.state = 'removed' AND i.state_since < ${momentSql(before)} AND i.purged_at IS NULL
      AND ${ofAccount(sql`i.account_id`, accountId)}`;
}

/** The calls in the scope. */
export function callsIn({ before, accountId }: PurgeScope): SQL {
  return sql`SELECT c.id FROM nightshift.source_calls c LEFT JOIN nightshift.lookups l ON l.id = c.lookup_id
    LEFT JOIN LATERAL (SELECT u.chunk_id, u.account_id FROM nightshift.purged_chunks u WHERE l.id IS NULL AND u.lookups @> c.lookup_id) p
      ON true
    WHERE c.sent_at < ${momentSql(before)} AND (l.ended_at < ${momentSql(before)} OR p.chunk_id IS NOT NULL)
      AND ${ofAccount(sql`coalesce(l.account_id, p.account_id)`, accountId)}`;
}

/** The events in the scope; no delivery of them is pending. */
export function eventsIn({ before, accountId }: PurgeScope): SQL {
  return sql`SELECT n.id FROM nightshift.events n
    WHERE n.purged_at IS NULL AND n.created_at < ${momentSql(before)} AND ${ofAccount(sql`n.account_id`, accountId)}
      AND NOT EXISTS (SELECT FROM nightshift.webhook_deliveries d WHERE d.event_id = n.id AND d.state = 'pending')`;
}

import type { PauseKind } from '../../../src/core/work/pause.ts';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { wholeSearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { BatchState, BatchSummary } from '../../../src/core/batches/batch.ts';
import { ownerKindOf, type BatchOwner } from '../../../src/core/batches/batch-labels.ts';
import type { BatchOriginKind, NamedId } from '../../../src/core/batches/batch-origin.ts';
import type { BatchFilter } from '../../../src/core/batches/batch-store.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { NotFound } from '../../../src/core/errors.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { limitReachedSql, maxSpendOf, maxSpendSql, type MaxSpendRow } from '../sql/bounds.ts';
import { sumCountsSql, type ChunkCount } from '../sql/chunk-counts.ts';
import { priceNowSql } from '../sql/price-book.ts';
import { filterSql } from './batch-filter.ts';
import { throttleSql, waitOf, type ThrottleRow } from '../sql/waits.ts';

interface SummaryRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly account_id: string;
  readonly file_name: string;
  readonly sheet: string | null;
  readonly state: BatchState;
  readonly state_reason: string | null;
  readonly wait_until: string | null;
  readonly wait_kind: PauseKind | null;
  readonly wait_cause: string | null;
  readonly wait_bound: string | null;
  readonly throttle: ThrottleRow | null;
  readonly sources: readonly string[];
  readonly search: SearchOptions | null;
  readonly rows_total: number;
  readonly rows_rejected: number;
  readonly operations: readonly Operation[];
  readonly lookups_total: number;
  readonly email_lookups_total: number;
  readonly counts: Readonly<Record<ChunkCount, number>>;
  readonly retried: number;
  readonly retried_no_match: number;
  readonly charged_micro: string;
  readonly ads_truncated: string;
  readonly limit_rows: number | null;
  readonly limit_reached: boolean;
  readonly max_credits_micro: string | null;
  readonly max_spend: MaxSpendRow;
  readonly ads_price_micro: string;
  readonly email_price_micro: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly purged_at: string | null;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly origin: BatchOriginKind | null;
  readonly origin_from: NamedId | null;
  readonly created_by: string | null;
  readonly owner_name: string | null;
  readonly archived_at: string | null;
  readonly delimiter: string | null;
}

/**
 * Reads one batch with its counts. They are sums over its chunks, a few thousand for a million rows, so that a progress line
 * can read them every second; `verify` compares them with the lookups. Truncated lookups have their own index.
 */
export async function readSummary(
  db: Sql,
  accountId: number | null,
  publicId: string,
): Promise<BatchSummary> {
  const ofAccount = accountId === null ? sql`true` : sql`b.account_id = ${accountId}`;
  const rows = await selectSummaries(
    db,
    sql`${ofAccount} AND b.public_id = ${publicId} AND b.deleted_at IS NULL`,
    1,
  );
  const row = rows[0];
  if (row === undefined) throw noSuchBatch(publicId);
  return row;
}

/** The id of an account's batch. @throws NotFound */
export async function findOwnBatch(db: Sql, accountId: number, publicId: string): Promise<number> {
  const [batch] = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(batches.publicId, publicId), isNull(batches.deletedAt)));
  if (batch === undefined) throw noSuchBatch(publicId);
  return batch.id;
}

/** Error for a batch that the account does not have. */
export function noSuchBatch(publicId: string): NotFound {
  return new NotFound(`There is no batch ${publicId}. \`nightshift status\` lists all batches.`);
}

/** Lists the batches of an account that the filter selects, newest first, after the named one. */
export async function listSummaries(
  db: Sql,
  accountId: number,
  limit: number,
  before?: string,
  filter: BatchFilter = {},
): Promise<readonly BatchSummary[]> {
  const wanted = filterSql(accountId, filter);
  if (before === undefined) return selectSummaries(db, wanted, limit);
  const { batchId } = await readSummary(db, accountId, before);
  return selectSummaries(db, sql`${wanted} AND b.id < ${batchId}`, limit);
}

/** Schedule, inbox or batch that batch `b` comes from. */
const originSql: SQL = sql`CASE b.origin
    WHEN 'schedule' THEN (SELECT jsonb_build_object('id', h.public_id, 'name', h.name) FROM nightshift.scans s
      JOIN nightshift.schedules h ON h.id = s.schedule_id WHERE s.batch_id = b.id LIMIT 1)
    WHEN 'inbox' THEN (SELECT jsonb_build_object('id', i.public_id, 'name', i.name) FROM nightshift.inbox_files f
      JOIN nightshift.inboxes i ON i.id = f.inbox_id WHERE f.batch_id = b.id LIMIT 1)
    WHEN 'run_again' THEN (SELECT jsonb_build_object('id', o.public_id, 'name', coalesce(o.name, o.file_name))
      FROM nightshift.batches o WHERE o.id = b.run_of AND o.deleted_at IS NULL) END`;

/** Login of the user, or name of the key, that created batch `b`. */
const ownerNameSql: SQL = sql`coalesce((SELECT u.login FROM nightshift.users u WHERE u.public_id = b.created_by),
    (SELECT k.name FROM nightshift.api_keys k WHERE k.public_id = b.created_by))`;

function ownerOf(id: string | null, name: string | null): BatchOwner | null {
  const kind = id === null ? null : ownerKindOf(id);
  return id === null || kind === null ? null : { kind, id, name };
}

async function selectSummaries(db: Sql, condition: SQL, limit: number): Promise<readonly BatchSummary[]> {
  const result = await db.execute<SummaryRow>(
    sql`SELECT b.id, b.public_id, b.account_id, b.file_name, b.sheet, b.delimiter, b.state, b.state_reason, b.operations, b.sources, b.search,
        CASE WHEN b.state = 'waiting_for_source' THEN b.wait_kind END AS wait_kind,
        CASE WHEN b.state = 'waiting_for_source' THEN b.wait_until END AS wait_until,
        CASE WHEN b.state = 'waiting_for_source' THEN b.wait_cause END AS wait_cause,
        CASE WHEN b.state = 'waiting_for_source' THEN b.wait_bound END AS wait_bound,
        CASE WHEN b.state = 'running' THEN (${throttleSql}) END AS throttle,
        b.rows_total, b.rows_rejected, b.lookups_total, b.email_lookups_total, b.created_at, b.finished_at, b.purged_at, c.*,
        CASE WHEN b.purged_at IS NULL THEN (SELECT count(*) FROM nightshift.lookups l WHERE l.batch_id = b.id AND l.truncated)
          ELSE (SELECT coalesce(sum(p.truncated), 0) FROM nightshift.purged_chunks p WHERE p.batch_id = b.id) END AS ads_truncated,
        b.name, b.tags, b.origin, ${originSql} AS origin_from, b.created_by, ${ownerNameSql} AS owner_name, b.archived_at,
        b.retried, b.retried_no_match, b.limit_rows, ${limitReachedSql} AS limit_reached, b.max_credits_micro, ${maxSpendSql} AS max_spend,
        (${priceNowSql('ads_search')}) AS ads_price_micro, (${priceNowSql('email_validation')}) AS email_price_micro
      FROM nightshift.batches b CROSS JOIN LATERAL (
        SELECT to_jsonb(s) - 'charged_micro' AS counts, s.charged_micro FROM (
          SELECT ${sumCountsSql}, coalesce(sum(charged_micro), 0)::bigint AS charged_micro
          FROM nightshift.chunks WHERE batch_id = b.id
        ) s
      ) c
      WHERE ${condition} ORDER BY b.id DESC LIMIT ${limit}`,
  );
  return result.rows.map(toSummary);
}

function toSummary(row: SummaryRow): BatchSummary {
  const { valid, invalid, catch_all, unknown, ...others } = row.counts;
  const completed = valid + invalid + catch_all + unknown;
  // A retry replaced the others: each company counts once.
  const no_match = others.no_match - row.retried_no_match;
  const failed = others.failed - (row.retried - row.retried_no_match);
  const ended = others.found + others.none + no_match + completed + failed + others.cancelled;
  const adsTotal = row.lookups_total - row.email_lookups_total;
  return {
    batchId: Number(row.id),
    publicId: row.public_id,
    accountId: Number(row.account_id),
    fileName: row.file_name,
    sheet: row.sheet,
    delimiter: row.delimiter,
    state: row.state,
    stateReason: row.state_reason,
    waitKind: row.wait_kind,
    waitUntil: row.wait_until === null ? null : new Date(row.wait_until),
    wait: waitOf(row),
    operations: row.operations,
    sources: row.sources,
    search: wholeSearch(row.search),
    rows: { total: row.rows_total, rejected: row.rows_rejected },
    lookups: {
      total: row.lookups_total,
      ...others,
      no_match,
      completed,
      failed,
      open: row.lookups_total - ended,
    },
    emails: { total: row.email_lookups_total, valid, invalid, catch_all, unknown },
    adsTruncated: Number(row.ads_truncated),
    chargedMicro: BigInt(row.charged_micro),
    ceilingMicro:
      BigInt(row.ads_price_micro) * BigInt(adsTotal) +
      BigInt(row.email_price_micro) * BigInt(row.email_lookups_total),
    bounds: {
      limitRows: row.limit_rows,
      maxCreditsMicro: row.max_credits_micro === null ? null : BigInt(row.max_credits_micro),
      ...maxSpendOf(row.max_spend),
    },
    isLimitReached: row.limit_reached,
    createdAt: new Date(row.created_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
    purgedAt: row.purged_at === null ? null : new Date(row.purged_at),
    name: row.name ?? row.file_name,
    origin: row.origin === null ? null : { kind: row.origin, from: row.origin_from },
    owner: ownerOf(row.created_by, row.owner_name),
    tags: row.tags,
    archivedAt: row.archived_at === null ? null : new Date(row.archived_at),
  };
}

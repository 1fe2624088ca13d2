import { sql, type SQL } from 'drizzle-orm';
import type { EndedSpan } from '../../../src/core/batches/batch-report.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { Misconfigured, ValidationError } from '../../../src/core/errors.ts';
import { momentText } from '../../../src/core/reports/days.ts';
import type { Since } from '../../../src/core/time/parse-since.ts';
import type { Sql } from '../../connection/client.ts';

/**
 * Resolves a start with the time of the database, and finds the end of the span: the moment before which everything that ended is committed
 * (`nightshift.settled_before`, `db/sql/sessions.sql`). Both are whole milliseconds, as an ISO timestamp has them. The end is never before the
 * start.
 *
 * Call it outside a transaction, and read the span in a later snapshot.
 *
 * @throws ValidationError for a start in the future; Misconfigured when the owner of the schema cannot see a session that may write.
 */
export async function openEndedSpan(db: Sql, since: Since): Promise<EndedSpan> {
  const start =
    since.kind === 'age'
      ? sql`now() - ${since.ageMs} * interval '1 millisecond'`
      : sql`${since.at.toISOString()}::timestamptz`;
  const { rows } = await db.execute<{ since: string; settled: string | null; is_future: boolean }>(
    sql`SELECT date_trunc('milliseconds', ${start}) AS since, date_trunc('milliseconds', nightshift.settled_before()) AS settled,
        ${start} > now() AS is_future`,
  );
  const row = rows[0];
  if (row === undefined) throw new Error('A query without a table returned no row.');
  const from = new Date(row.since);
  if (row.is_future)
    throw new ValidationError(
      `${momentText(from)} is in the future. Pass the moment that the last export printed.`,
    );
  if (row.settled === null)
    throw new Misconfigured(
      'The owner of the schema nightshift cannot see all sessions that write results, so an export of increments could miss some. ' +
        'Grant the role pg_read_all_stats to the owner, and leave track_activities on.',
    );
  const settled = new Date(row.settled);
  return { since: from, until: settled > from ? settled : from };
}

/**
 * Batches with rows that ended in a span, oldest first. A chunk has the end of its first and its last lookup.
 */
export async function listEndedBatches(
  db: Sql,
  accountId: number,
  { since, until }: EndedSpan,
): Promise<readonly { readonly batchId: number; readonly publicId: string }[]> {
  const { rows } = await db.execute<{ id: string; public_id: string }>(
    sql`SELECT b.id, b.public_id FROM nightshift.batches b
      WHERE b.account_id = ${accountId} AND b.purged_at IS NULL AND b.deleted_at IS NULL AND b.loaded_at < ${until.toISOString()}::timestamptz
        AND (b.loaded_at >= ${since.toISOString()}::timestamptz OR EXISTS (SELECT FROM nightshift.chunks c WHERE c.batch_id = b.id
          AND c.last_ended_at >= ${since.toISOString()}::timestamptz AND c.first_ended_at < ${until.toISOString()}::timestamptz))
      ORDER BY b.id`,
  );
  return rows.map(({ id, public_id: publicId }) => ({ batchId: Number(id), publicId }));
}

/**
 * The time at which row `r` ended, with its lookups `l` and `m`: when the last of its lookups ended, and at the earliest when its batch was
 * loaded, because a later row may repeat a lookup that has ended by then. `infinity` for an open row. It contains no parameters.
 */
export function rowEndedSql(batchId: number, operations: readonly Operation[]): SQL {
  const isAdsOnly = !operations.includes('email_validation');
  const ofEmail = isAdsOnly
    ? sql`NULL`
    : sql`CASE WHEN r.email_lookup_id IS NOT NULL THEN coalesce(m.ended_at, 'infinity') END`;
  const loaded = sql`(SELECT coalesce(loaded_at, 'infinity') FROM nightshift.batches WHERE id = ${sql.raw(String(Math.trunc(batchId)))})`;
  return sql`greatest(${loaded}, CASE WHEN r.ads_lookup_id IS NOT NULL THEN coalesce(l.ended_at, 'infinity') END, ${ofEmail})`;
}

/** Condition that an expression is in a span. It contains no parameters. */
export function isInSpanSql(moment: SQL, { since, until }: EndedSpan): SQL {
  return sql`AND ${moment} >= ${momentSql(since)} AND ${moment} < ${momentSql(until)}`;
}

/** A moment as a literal: a cursor takes no parameters. */
function momentSql(at: Date): SQL {
  return sql.raw(`timestamptz '${at.toISOString()}'`);
}

import { sql, type SQL } from 'drizzle-orm';
import type { FreeReason, UsageFilter, UsageSpan } from '../../../src/core/credits/usage.ts';
import { endedSql } from '../sql/chunk-counts.ts';

/** Sums as Postgres returns them. */
export interface UsageRow extends Record<string, unknown>, Readonly<Record<FreeReason, string>> {
  readonly lookups: string;
  readonly charged: string;
  readonly charged_micro: string;
}

/** The sums of one group of `UsageRow`s. */
export const sumsSql: SQL = sql.raw(
  'lookups charged charged_micro none no_match unknown failed cancelled repeated no_price'
    .split(' ')
    .map((name) => `sum(${name})::bigint AS ${name}`)
    .join(', '),
);

/**
 * The quarter of an hour, in UTC, of a moment. Days of every time zone start with one, and assigning a few thousand quarters to
 * days is faster than half a million moments.
 */
function quarterOf(moment: SQL): SQL {
  return sql`date_bin('15 minutes', ${moment}, '2000-01-01Z')`;
}

/** The day in a time zone. */
export function dayOf(moment: SQL, { timeZone }: UsageSpan): SQL {
  return sql`(${moment} AT TIME ZONE ${timeZone})::date`;
}

/** Condition that lookups of chunk `c` ended within the span. */
export function endedIn({ operation, ...span }: UsageFilter): SQL {
  const { start, end } = momentsOf(span);
  return sql.join(
    [
      sql`c.last_ended_at IS NOT NULL`,
      ...(start === null ? [] : [sql`c.last_ended_at >= ${start}`]),
      ...(end === null ? [] : [sql`c.first_ended_at < ${end}`]),
      ...(operation === null ? [] : [sql`c.operation = ${operation}`]),
    ],
    sql` AND `,
  );
}

/** Usage of each single request of an account, by `quarter` and `operation`: a request is a chunk of one lookup. */
export function requestsSql(accountId: number, filter: UsageFilter): SQL {
  const isResult = sql`c.found + c.valid + c.invalid + c.catch_all > 0`;
  return sql`SELECT ${quarterOf(sql`c.last_ended_at`)} AS quarter, NULL::bigint AS batch_id, c.operation, 1 AS lookups,
      (c.charged_micro > 0)::integer AS charged, c.charged_micro, c.none, c.no_match, c.unknown, c.failed, c.cancelled,
      (${isResult} AND c.price_micro > 0 AND c.charged_micro = 0)::integer AS repeated,
      (${isResult} AND c.price_micro = 0)::integer AS no_price
    FROM nightshift.chunks c WHERE c.account_id = ${accountId} AND c.batch_id IS NULL AND ${endedIn(filter)}`;
}

/**
 * Usage of batches within the span, by `quarter`, `batch_id` and `operation`; `batches` is a query of their ids. A chunk counts
 * as a whole if it ended on one day; if it spans midnight, its lookups are counted. Every charged result of a chunk costs its
 * price, so the sum gives their number. A purged chunk has the counts of its lookups by quarter.
 */
export function listsSql(batches: SQL, filter: UsageFilter): SQL {
  const { start, end } = momentsOf(filter);
  const inSpan = (moment: string) =>
    sql.join(
      [
        sql`true`,
        ...(start === null ? [] : [sql`${sql.raw(moment)} >= ${start}`]),
        ...(end === null ? [] : [sql`${sql.raw(moment)} < ${end}`]),
      ],
      sql` AND `,
    );
  const isOfOneDay = sql`${dayOf(sql`c.first_ended_at`, filter)} = ${dayOf(sql`c.last_ended_at`, filter)}`;
  // Materialized once, and lookups are read chunk by chunk (OFFSET 0): the planner assumes that nearly all chunks span
  // midnight.
  return sql`WITH span AS MATERIALIZED (
      SELECT c.*, ${isOfOneDay} AS is_of_one_day, c.found + c.valid + c.invalid + c.catch_all AS results,
        CASE WHEN c.price_micro > 0 THEN c.charged_micro / c.price_micro ELSE 0 END AS charged
      FROM nightshift.chunks c WHERE c.batch_id IN (${batches}) AND ${endedIn(filter)}
    )
    SELECT ${quarterOf(sql`c.first_ended_at`)} AS quarter, c.batch_id, c.operation, ${endedSql} AS lookups, c.charged,
      c.charged_micro, c.none, c.no_match, c.unknown, c.failed, c.cancelled,
      CASE WHEN c.price_micro > 0 THEN c.results - c.charged ELSE 0 END AS repeated,
      CASE WHEN c.price_micro > 0 THEN 0 ELSE c.results END AS no_price
    FROM span c WHERE c.is_of_one_day
    UNION ALL
    SELECT ${quarterOf(sql`l.ended_at`)}, c.batch_id, c.operation, 1, (l.charged_micro > 0)::integer, l.charged_micro,
      (l.outcome = 'none')::integer, (l.outcome = 'no_match')::integer, coalesce(e.status = 'unknown', false)::integer,
      (l.outcome = 'failed')::integer, (l.outcome = 'cancelled')::integer,
      (r.is_result AND c.price_micro > 0 AND l.charged_micro = 0)::integer, (r.is_result AND c.price_micro = 0)::integer
    FROM (SELECT * FROM span WHERE NOT is_of_one_day) c
    CROSS JOIN LATERAL (
      SELECT l.* FROM nightshift.lookups l
      WHERE l.id BETWEEN c.first_lookup_id AND c.last_lookup_id AND l.batch_id = c.batch_id AND l.operation = c.operation
        AND l.ended_at BETWEEN c.first_ended_at AND c.last_ended_at AND ${inSpan('l.ended_at')}
      OFFSET 0
    ) l
    LEFT JOIN nightshift.email_results e ON e.lookup_id = l.id
    CROSS JOIN LATERAL (SELECT l.outcome = 'found' OR l.outcome = 'completed' AND e.status <> 'unknown' AS is_result) r
    UNION ALL
    SELECT q.at, c.batch_id, c.operation, q.lookups, q.charged, q.charged * c.price_micro, q.none, q.no_match, q.unknown, q.failed,
      q.cancelled, CASE WHEN c.price_micro > 0 THEN r.results - q.charged ELSE 0 END, CASE WHEN c.price_micro > 0 THEN 0 ELSE r.results END
    FROM (SELECT * FROM span WHERE NOT is_of_one_day) c
    JOIN nightshift.purged_chunks p ON p.chunk_id = c.id
    CROSS JOIN LATERAL jsonb_to_recordset(p.quarters) AS q(at timestamptz, lookups bigint, charged bigint, none integer, no_match integer,
      unknown integer, failed integer, cancelled integer)
    CROSS JOIN LATERAL (SELECT q.lookups - q.none - q.no_match - q.unknown - q.failed - q.cancelled AS results) r
    WHERE ${inSpan('q.at')}`;
}

/** Start and end of a span of days. */
function momentsOf({ from, to, timeZone }: UsageSpan): {
  readonly start: SQL | null;
  readonly end: SQL | null;
} {
  const startOf = (day: SQL) => sql`(${day}::timestamp AT TIME ZONE ${timeZone})`;
  return {
    start: from === null ? null : startOf(sql`${from}::date`),
    end: to === null ? null : startOf(sql`(${to}::date + 1)`),
  };
}

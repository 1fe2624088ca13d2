import { sql, type SQL } from 'drizzle-orm';
import type { RequestCounter, WindowCount } from '../../../src/core/accounts/request-counter.ts';
import type { Sql } from '../../connection/client.ts';
import { ints, texts } from '../sql/arrays.ts';

/**
 * Counts requests in `nightshift.rate_limits`, in the form of rate-limiter-flexible, which counts everything else there. One statement for a
 * key and its account instead of two. Counters are locked in the order of their names, first those of keys, so that two calls do not deadlock.
 */
export function createRequestCounter(db: Sql): RequestCounter {
  return async (asked, { nowMs, windowMs }) => {
    const { rows } = await db.execute<CountedRow>(
      sql`WITH asked AS MATERIALIZED (
          SELECT * FROM unnest(${texts(asked.map(({ key }) => key))}, ${ints(asked.map(({ keyMax }) => keyMax))},
            ${texts(asked.map(({ account }) => account))}, ${ints(asked.map(({ requests }) => requests))})
            AS a(key, key_max, account, requests)
        ), keys AS (
          INSERT INTO nightshift.rate_limits AS r (key, points, expire)
          SELECT a.key, a.requests, ${nowMs + windowMs}::bigint FROM asked a ORDER BY a.key
          ${countOnSql(nowMs)}
          RETURNING r.key, r.points, r.expire
        ), within AS (
          SELECT a.account, sum(greatest(0, least(a.requests, a.key_max - k.points + a.requests)))::integer AS requests
          FROM asked a JOIN keys k ON k.key = a.key GROUP BY a.account
        ), accounts AS (
          INSERT INTO nightshift.rate_limits AS r (key, points, expire)
          SELECT w.account, w.requests, ${nowMs + windowMs}::bigint FROM within w WHERE w.requests > 0 ORDER BY w.account
          ${countOnSql(nowMs)}
          RETURNING r.key, r.points, r.expire
        )
        SELECT k.key, k.points AS key_points, k.expire AS key_expire, t.points AS account_points, t.expire AS account_expire
        FROM asked a JOIN keys k ON k.key = a.key LEFT JOIN accounts t ON t.key = a.account`,
    );
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return asked.map(({ key }) => {
      const row = byKey.get(key);
      if (row === undefined) throw new Error('Requests were counted and not answered.');
      return {
        ofKey: toCount(row.key_points, row.key_expire),
        ofAccount: row.account_points === null ? null : toCount(row.account_points, row.account_expire),
      };
    });
  };
}

interface CountedRow extends Record<string, unknown> {
  readonly key: string;
  readonly key_points: number;
  readonly key_expire: string | null;
  readonly account_points: number | null;
  readonly account_expire: string | null;
}

function countOnSql(nowMs: number): SQL {
  const isOver = sql`r.expire <= ${nowMs}::bigint`;
  return sql`ON CONFLICT (key) DO UPDATE SET points = excluded.points + CASE WHEN ${isOver} THEN 0 ELSE r.points END,
            expire = CASE WHEN ${isOver} THEN excluded.expire ELSE r.expire END`;
}

function toCount(points: number, expire: string | null): WindowCount {
  return { requests: points, endsAtMs: Number(expire) };
}

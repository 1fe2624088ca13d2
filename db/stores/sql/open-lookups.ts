import { sql, type SQL } from 'drizzle-orm';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { lookupBlockSpan } from '../../schema/lookups.ts';

/** Lookups of an operation of a batch, or of a request, in a range of ids, both ends included. */
export interface LookupRange {
  readonly batchId: number | null;
  readonly operation: Operation;
  readonly from: bigint;
  readonly to: bigint;
}

/** A range as expressions. */
interface SubjectRange {
  readonly batchId: SQL;
  readonly operation: Operation;
  readonly from: SQL;
  readonly to: SQL;
}

/** Subjects of the blocks in a range, whether or not their lookups have ended. */
function blockSubjectsSql({ batchId, operation, from, to }: SubjectRange, lock: SQL = sql``): SQL {
  return sql`SELECT b.account_id, b.batch_id, b.operation, s.* FROM (
      SELECT * FROM nightshift.lookup_blocks b
      WHERE b.batch_id = ${batchId} AND b.operation = ${sql.raw(`'${operation}'`)} AND ${blockSpanSql('b', from, to)}
      ${lock}
    ) b
    CROSS JOIN LATERAL unnest(b.ids, b.subject_keys, b.company_domains, b.company_names, b.emails)
      AS s(id, subject_key, company_domain, company_name, email)`;
}

/**
 * The same, with the blocks locked: an erasure either changes the address before it is read here, or waits and finds the row that it is
 * copied to.
 */
export function lockedSubjectsSql({ batchId, operation, from, to }: LookupRange): SQL {
  const range = {
    batchId: sql`${batchId}::bigint`,
    operation,
    from: sql`${from}::bigint`,
    to: sql`${to}::bigint`,
  };
  return blockSubjectsSql(range, sql`FOR SHARE`);
}

/** Condition that lookup `l` of the view `open_lookups` is in a range. */
export function isOpenInSql({ batchId, operation, from, to }: LookupRange): SQL {
  const isOfOwner = batchId === null ? sql`l.batch_id IS NULL` : sql`l.batch_id = ${batchId}`;
  return sql`${isBetweenSql(sql`${from}::bigint`, sql`${to}::bigint`)} AND ${isOfOwner} AND l.operation = ${operation}`;
}

/**
 * Joins the open lookups `l` of a batch's chunk `c`. `OFFSET 0` keeps the conditions in the subquery, where they reach the index of the blocks;
 * a join with the view would read all blocks for each chunk.
 */
export const joinOpenOfChunkSql: SQL = sql`CROSS JOIN LATERAL (
    SELECT l.* FROM nightshift.open_lookups l
    WHERE ${isBetweenSql(sql`c.first_lookup_id`, sql`c.last_lookup_id`)} AND l.batch_id = c.batch_id AND l.operation = c.operation
    OFFSET 0
  ) l`;

/** Condition that open lookup `l` has an id in a range. */
function isBetweenSql(from: SQL, to: SQL): SQL {
  return sql`l.id BETWEEN ${from} AND ${to} AND ${blockSpanSql('l', from, to)}`;
}

/** Joins the company `w` of a row `r` whose ads lookup waits in a block: it has no row `l`. */
export function joinWaitingCompanySql(batchId: SQL): SQL {
  const id = sql`r.ads_lookup_id`;
  const subjects = blockSubjectsSql({ batchId, operation: 'ads_search', from: id, to: id });
  return sql`LEFT JOIN LATERAL (
      SELECT s.subject_key, s.company_domain, s.company_name FROM (${subjects}) s WHERE s.id = ${id}
    ) w ON l.id IS NULL`;
}

/** Condition that a block, or a lookup with the `first_id` of its block, may be in a range of ids. */
function blockSpanSql(name: 'b' | 'l', from: SQL, to: SQL): SQL {
  return sql`${sql.raw(name)}.first_id BETWEEN ${from} - ${sql.raw(String(lookupBlockSpan - 1))} AND ${to}`;
}

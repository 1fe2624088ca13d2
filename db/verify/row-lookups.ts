import { sql, type SQL } from 'drizzle-orm';

/** The planner knows its length, and makes its hash tables accordingly. */
const rowsOfBlock = sql`unnest('{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32}'::integer[])`;

/**
 * Lookups of the rows of blocks (of `row_blocks`), for both operations: `(batch_id, row_no, operation, lookup_id, is_first)`. The same as in
 * `batch_rows`, without a look at the cells.
 */
export function rowLookups(rowBlocks: SQL): SQL {
  return sql`SELECT b.batch_id, b.block_no * 32 + n AS row_no, 'ads_search' AS operation,
      CASE cardinality(b.ads_lookups) WHEN 1 THEN b.ads_lookups[1] + n - 1 ELSE b.ads_lookups[n] END AS lookup_id,
      (coalesce(b.ads_repeats, 0) >> (n - 1)) & 1 = 0 AS is_first
    FROM ${rowBlocks} b CROSS JOIN ${rowsOfBlock} n
    WHERE n <= b.rows AND (cardinality(b.ads_lookups) = 1 OR b.ads_lookups[n] IS NOT NULL)
  UNION ALL
  SELECT b.batch_id, b.block_no * 32 + n, 'email_validation',
      CASE cardinality(b.email_lookups) WHEN 1 THEN b.email_lookups[1] + n - 1 ELSE b.email_lookups[n] END,
      (coalesce(b.email_repeats, 0) >> (n - 1)) & 1 = 0
    FROM ${rowBlocks} b CROSS JOIN ${rowsOfBlock} n
    WHERE n <= b.rows AND (cardinality(b.email_lookups) = 1 OR b.email_lookups[n] IS NOT NULL)`;
}

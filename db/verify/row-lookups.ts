import { sql, type SQL } from 'drizzle-orm';

/** Lookups of rows (of `batch_rows`), for both operations: `(batch_id, row_no, operation, lookup_id, is_first)`. */
export function rowLookups(rows: SQL): SQL {
  return sql`SELECT batch_id, row_no, 'ads_search' AS operation, ads_lookup_id AS lookup_id, is_first
    FROM ${rows} WHERE ads_lookup_id IS NOT NULL
  UNION ALL
  SELECT batch_id, row_no, 'email_validation', email_lookup_id, email_is_first
    FROM ${rows} WHERE email_lookup_id IS NOT NULL`;
}

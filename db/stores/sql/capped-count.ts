import { sql, type SQL } from 'drizzle-orm';
import { countedMax } from '../../../src/core/reports/capped-count.ts';

/** The number of rows of a FROM clause with its condition, up to `countedMax`. An index on the condition makes it as cheap as it is small. */
export function cappedCountSql(from: SQL): SQL {
  return sql`(SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${countedMax}) counted)::integer`;
}

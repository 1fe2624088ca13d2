import { sql, type SQL } from 'drizzle-orm';

/** Ends of lookups, each with a column of its own in `nightshift.chunks`: outcomes, and verdicts for completed ones. */
export const chunkCounts = [
  'found',
  'none',
  'no_match',
  'valid',
  'invalid',
  'catch_all',
  'unknown',
  'failed',
  'cancelled',
] as const;
export type ChunkCount = (typeof chunkCounts)[number];

/** Number of ended lookups of chunk `c`. */
export const endedSql: SQL = sql.raw(`(${chunkCounts.map((name) => `c.${name}`).join(' + ')})`);

/** Counts rows by their column `end`. */
export const countsSql: SQL = sql.raw(
  chunkCounts.map((name) => `count(*) FILTER (WHERE "end" = '${name}') AS ${name}`).join(', '),
);

/** Adds the counts of `e` to those of chunk `c`. */
export const addCountsSql: SQL = sql.raw(
  chunkCounts.map((name) => `${name} = c.${name} + e.${name}`).join(', '),
);

/** Sets the first and last end of chunk `c` to this transaction. A transaction that started earlier may commit later. */
export const endedNowSql: SQL = sql.raw(
  'first_ended_at = least(c.first_ended_at, now()), last_ended_at = greatest(c.last_ended_at, now())',
);

/** Sums of the counts of all chunks. */
export const sumCountsSql: SQL = sql.raw(
  chunkCounts.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', '),
);

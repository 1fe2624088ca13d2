import { sql, type SQL } from 'drizzle-orm';
import type { BatchCounts, BatchFilter } from '../../../src/core/batches/batch-store.ts';
import { batchStates, type BatchState } from '../../../src/core/batches/batch.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';

/** Maximum number of tags with their counts. */
const tagsListed = 100;

/** Condition on the batches `b` of an account that a filter selects. Deleted batches are in no list. */
export function filterSql(accountId: number, filter: BatchFilter): SQL {
  const { states, archived = 'no' } = filter;
  return all([
    baseSql(accountId, filter),
    states === undefined ? null : sql`b.state = ANY (${texts(states)})`,
    archivedSql(archived),
    tagSql(filter),
  ]);
}

/** Counts the batches of an account that a filter selects. */
export async function countBatches(db: Sql, accountId: number, filter: BatchFilter): Promise<BatchCounts> {
  const { states, archived = 'no' } = filter;
  const inStates = states === undefined ? sql`true` : sql`b.state = ANY (${texts(states)})`;
  const inArchive = archivedSql(archived) ?? sql`true`;
  const hasTag = tagSql(filter) ?? sql`true`;
  const { rows } = await db.execute<{
    state: BatchState;
    total: string;
    of_state: string;
    archived: string;
  }>(
    sql`SELECT b.state, count(*) FILTER (WHERE ${inStates} AND ${inArchive} AND ${hasTag}) AS total,
        count(*) FILTER (WHERE ${inArchive} AND ${hasTag}) AS of_state,
        count(*) FILTER (WHERE ${inStates} AND ${hasTag} AND b.archived_at IS NOT NULL) AS archived
      FROM nightshift.batches b WHERE ${baseSql(accountId, filter)} GROUP BY b.state`,
  );
  const tags = await db.execute<{ tag: string; batches: string }>(
    sql`SELECT t.tag, count(*) AS batches FROM nightshift.batches b CROSS JOIN LATERAL unnest(b.tags) AS t(tag)
      WHERE ${baseSql(accountId, filter)} AND ${inStates} AND ${inArchive}
      GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT ${tagsListed}`,
  );
  const sum = (count: 'total' | 'archived') => rows.reduce((total, row) => total + Number(row[count]), 0);
  const ofState = new Map(rows.map((row) => [row.state, Number(row.of_state)]));
  return {
    total: sum('total'),
    states: Object.fromEntries(batchStates.map((state) => [state, ofState.get(state) ?? 0])) as Record<
      BatchState,
      number
    >,
    archived: sum('archived'),
    tags: tags.rows.map(({ tag, batches }) => ({ tag, batches: Number(batches) })),
  };
}

/** Condition for everything but state, archive and tag. */
function baseSql(accountId: number, { search = '', origin, owner }: BatchFilter): SQL {
  const words = search.split(/\s+/u).filter((word) => word !== '');
  return all([
    sql`b.account_id = ${accountId} AND b.deleted_at IS NULL`,
    ...words.map(
      (word) =>
        sql`strpos(lower(concat_ws(' ', coalesce(b.name, b.file_name), b.file_name, b.public_id, array_to_string(b.tags, ' '))),
          lower(${word}::text)) > 0`,
    ),
    origin === undefined ? null : sql`b.origin = ${origin}`,
    owner === undefined
      ? null
      : sql`(b.created_by = ${owner} OR b.created_by = (SELECT u.public_id FROM nightshift.users u
          WHERE lower(u.login) = lower(${owner}) AND u.account_id = ${accountId}))`,
  ]);
}

function archivedSql(archived: NonNullable<BatchFilter['archived']>): SQL | null {
  return archived === 'all' ? null : sql`(b.archived_at IS NOT NULL) = ${archived === 'only'}`;
}

function tagSql({ tag }: BatchFilter): SQL | null {
  return tag === undefined ? null : sql`EXISTS (SELECT FROM unnest(b.tags) t WHERE lower(t) = lower(${tag}))`;
}

function all(conditions: readonly (SQL | null)[]): SQL {
  return sql.join(
    conditions.filter((condition) => condition !== null),
    sql` AND `,
  );
}

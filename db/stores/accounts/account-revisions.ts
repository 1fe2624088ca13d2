import { sql, type SQL } from 'drizzle-orm';
import type { AccountRevisions, RevisionStore } from '../../../src/core/accounts/account-revisions.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Number of the newest rows of a table that a revision covers. A change of an older row alone is no change of the revision. */
const newestRows = 200;
/** The same for events, of which every webhook has a delivery. */
const newestEvents = 50;

/**
 * Revisions by the row versions (`xmin`) of what the lists of an account show: every write gives a row another version, so that writers
 * neither count nor notify, and no row of an account is contended.
 *
 * A read is one statement of index scans over at most the newest rows of each table, and the running chunks: 1 to 3 ms.
 */
export function createRevisionStore(db: Sql): RevisionStore {
  return { read: (accountId) => withDatabase(() => readRevisions(db, accountId)) };
}

async function readRevisions(db: Sql, accountId: number): Promise<AccountRevisions> {
  const { rows } = await db.execute<{ [part in keyof AccountRevisions]: string }>(revisionsSql(accountId));
  const [row] = rows;
  if (row === undefined) throw new Error('A query without a table returned no row.');
  return row;
}

/** Statement that reads the revisions of an account, in one row. */
export function revisionsSql(accountId: number): SQL {
  return sql`WITH newest_scans AS MATERIALIZED (
      SELECT id, xmin AS version, evaluations FROM nightshift.scans
      WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${newestRows}
    )
    SELECT ${hashSql([
      versionsSql(sql`SELECT id, xmin AS version FROM nightshift.batches
        WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${newestRows}`),
      versionsSql(sql`SELECT id, xmin AS version FROM nightshift.batches
        WHERE account_id = ${accountId} AND state NOT IN ('finished', 'cancelled')`),
      // Progress: every commit updates the counts of its chunk. Requests have chunks, too.
      versionsSql(sql`SELECT id, xmin AS version FROM nightshift.chunks
        WHERE state = 'running' AND account_id = ${accountId} AND batch_id IS NOT NULL`),
    ])} AS batches,
    ${hashSql([
      versionsSql(sql`SELECT id, xmin AS version FROM nightshift.schedules
        WHERE account_id = ${accountId} AND state <> 'removed' ORDER BY id DESC LIMIT ${newestRows}`),
      versionsSql(sql`SELECT id, version FROM newest_scans`),
    ])} AS schedules,
    ${hashSql([
      versionsSql(sql`SELECT id, evaluations AS version FROM newest_scans WHERE evaluations > 0`),
    ])} AS changes,
    ${hashSql([
      sql`(SELECT concat_ws(' ', balance_micro, held_micro, low_micro, last_seq) FROM nightshift.credit_balances
        WHERE account_id = ${accountId})`,
    ])} AS balance,
    ${hashSql([
      versionsSql(sql`SELECT id, xmin AS version FROM nightshift.webhooks
        WHERE account_id = ${accountId} AND state <> 'removed' AND user_id IS NULL ORDER BY id DESC LIMIT ${newestRows}`),
      versionsSql(sql`SELECT concat(d.event_id, ' ', d.webhook_id) AS id, d.xmin AS version FROM (
          SELECT id FROM nightshift.events WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${newestEvents}
        ) e JOIN nightshift.webhook_deliveries d ON d.event_id = e.id`),
    ])} AS notifications,
    ${hashSql([
      // Not the row version: each call of a source writes its state, also for other accounts.
      versionsSql(sql`SELECT bucket AS id, concat_ws(' ', extract(epoch FROM paused_until), pause_kind, pause_reason) AS version
        FROM nightshift.source_states`),
      versionsSql(sql`SELECT source AS id, xmin AS version FROM nightshift.source_smokes`),
    ])} AS sources`;
}

/** Concatenates the ids and versions of a few rows; null without any. */
function versionsSql(rows: SQL): SQL {
  return sql`(SELECT string_agg(concat(r.id, ' ', r.version), ',' ORDER BY r.id) FROM (${rows}) r)`;
}

/** Hashes texts into one of 16 digits. */
function hashSql(texts: readonly SQL[]): SQL {
  return sql`lpad(to_hex(hashtextextended(jsonb_build_array(${sql.join([...texts], sql`, `)})::text, 0)), 16, '0')`;
}

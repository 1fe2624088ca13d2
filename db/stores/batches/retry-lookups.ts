import { eq, sql, type SQL } from 'drizzle-orm';
import type { Retried, RetryChoice, RetryPart } from '../../../src/core/batches/batch-control.ts';
import type { Sql } from '../../connection/client.ts';
import { scans } from '../../schema/schedules.ts';
import { lookupIdsPerBlock } from '../sql/lookup-ids.ts';
import { priceNowSql } from '../sql/price-book.ts';
import { isOfRowsSql } from '../sql/result-conditions.ts';
import { isLatestSql, isMappedSinceSql, isMappedToSql } from '../sql/mapped-since.ts';

/**
 * Creates a successor for every chosen lookup of a finished batch that has none, points its rows there, and lets the batch run
 * again; in the caller's transaction. The replaced lookup does not change.
 */
export async function retryLookups(
  db: Sql,
  batchId: number,
  choice: RetryChoice,
  { rows, advertisers, unidentified = false, isDryRun = false }: RetryPart,
): Promise<Omit<Retried, 'batchId'>> {
  const ofRows = rows === undefined ? sql`true` : isOfRowsSql(batchId, rows);
  const ofAdvertisers = advertisers === undefined ? sql`true` : isMappedToSql(advertisers);
  const chosen = unidentified ? sql`(l.outcome = 'no_match' OR ${chosenSql[choice]})` : chosenSql[choice];
  const counts = await readCounts(db, batchId, { chosen, ofAdvertisers, ofRows });
  if (counts.retried > 0 && !isDryRun) {
    await insertSuccessors(db, batchId, {
      ...counts,
      chosen: sql`${chosen} AND ${ofAdvertisers} AND ${ofRows}`,
      reparses: choice === 'reparse',
    });
    // If it is a scan, the results are evaluated when they are complete.
    await db
      .update(scans)
      .set({ retriedAt: sql`now()` })
      .where(eq(scans.batchId, batchId));
  }
  return {
    retried: counts.retried,
    inDoubtLeft: choice === 'in_doubt' ? 0 : counts.inDoubt,
    ceilingMicro: counts.ceilingMicro,
  };
}

interface RetryCounts {
  readonly retried: number;
  /** Number of the retried ones of companies that were not identified. */
  readonly noMatch: number;
  readonly inDoubt: number;
  readonly ceilingMicro: bigint;
}

async function readCounts(
  db: Sql,
  batchId: number,
  { chosen, ofAdvertisers, ofRows }: Readonly<Record<'chosen' | 'ofAdvertisers' | 'ofRows', SQL>>,
): Promise<RetryCounts> {
  const { rows } = await db.execute<{
    ads: number;
    emails: number;
    no_match: number;
    in_doubt: number;
    ads_price_micro: string;
    email_price_micro: string;
  }>(
    sql`SELECT count(*) FILTER (WHERE c.is_chosen AND c.operation = 'ads_search')::integer AS ads,
        count(*) FILTER (WHERE c.is_chosen AND c.operation <> 'ads_search')::integer AS emails,
        count(*) FILTER (WHERE c.is_chosen AND c.outcome = 'no_match')::integer AS no_match,
        count(*) FILTER (WHERE c.outcome = 'failed' AND c.reason = 'in_doubt')::integer AS in_doubt,
        (${priceNowSql('ads_search')}) AS ads_price_micro, (${priceNowSql('email_validation')}) AS email_price_micro
      FROM (
        SELECT l.operation, l.outcome, l.reason, (${chosen}) AND ${ofAdvertisers} AS is_chosen FROM nightshift.lookups l
        WHERE l.batch_id = ${batchId} AND l.outcome IN ('failed', 'no_match') AND ${isLatestSql} AND ${ofRows}
      ) c`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The counts of a retry were not read.');
  const { ads, emails, no_match: noMatch, in_doubt: inDoubt } = row;
  const ceilingMicro =
    BigInt(row.ads_price_micro) * BigInt(ads) + BigInt(row.email_price_micro) * BigInt(emails);
  return { retried: ads + emails, noMatch, inDoubt, ceilingMicro };
}

/** Conditions on the lookups `l` to retry. A raw response belongs to the lookup of its call, however often it was parsed since. */
const chosenSql: Readonly<Record<RetryChoice, SQL>> = {
  certain: sql`l.outcome = 'failed' AND l.reason <> 'in_doubt'`,
  in_doubt: sql`l.outcome = 'failed'`,
  mapped: sql`l.outcome = 'no_match' AND ${isMappedSinceSql}`,
  reparse: sql`l.outcome = 'failed' AND l.reason = 'source_unreadable' AND EXISTS (
    SELECT FROM nightshift.source_calls s JOIN nightshift.raw_responses r ON r.hash = s.response_hash
    WHERE s.lookup_id = coalesce(l.reparses, l.id))`,
};

/** New ids follow the order of the old ones, in which the dispatcher proceeds. */
async function insertSuccessors(
  db: Sql,
  batchId: number,
  {
    retried: count,
    noMatch,
    chosen,
    reparses: isReparse,
  }: RetryCounts & { readonly chosen: SQL; readonly reparses: boolean },
): Promise<void> {
  const reparses = isReparse ? sql`coalesce(f.reparses, f.id)` : sql`NULL::bigint`;
  await db.execute(
    sql`WITH block AS (
        SELECT first, row_number() OVER (ORDER BY first) - 1 AS n FROM (
          SELECT nextval('nightshift.lookup_id_blocks') AS first
          FROM generate_series(1, ${Math.ceil(count / lookupIdsPerBlock)})
        ) s
      ), replaced AS (
        SELECT l.*, row_number() OVER (ORDER BY l.id) - 1 AS n FROM nightshift.lookups l
        WHERE l.batch_id = ${batchId} AND ${chosen} AND ${isLatestSql}
      ), fresh AS (
        INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation, company_domain,
          company_name, email, reparses)
        SELECT b.first + f.n % ${lookupIdsPerBlock}, f.account_id, f.batch_id, f.operation, f.subject_key,
          f.generation + 1, f.company_domain, f.company_name, f.email, ${reparses}
        FROM replaced f JOIN block b ON b.n = f.n / ${lookupIdsPerBlock}
        RETURNING id, operation, subject_key
      ), successor AS (
        SELECT f.id AS old_id, n.id AS new_id FROM replaced f JOIN fresh n USING (operation, subject_key)
      ), pointed AS (
        UPDATE nightshift.row_blocks b SET ads_lookups = CASE WHEN b.ads_lookups IS NOT NULL THEN c.ads_lookups END,
          email_lookups = CASE WHEN b.email_lookups IS NOT NULL THEN c.email_lookups END
        FROM (
          SELECT r.block_no, array_agg(coalesce(a.new_id, r.ads_lookup_id) ORDER BY r.row_no) AS ads_lookups,
            array_agg(coalesce(e.new_id, r.email_lookup_id) ORDER BY r.row_no) AS email_lookups
          FROM nightshift.batch_rows r
          LEFT JOIN successor a ON a.old_id = r.ads_lookup_id
          LEFT JOIN successor e ON e.old_id = r.email_lookup_id
          WHERE r.batch_id = ${batchId} GROUP BY r.block_no
          HAVING count(a.new_id) + count(e.new_id) > 0
        ) c
        WHERE b.batch_id = ${batchId} AND b.block_no = c.block_no
      )
      UPDATE nightshift.batches SET state = 'running', state_since = now(), finished_at = NULL, limit_rows = NULL,
        limit_lookup_id = NULL, retried = retried + ${count},
        retried_no_match = retried_no_match + ${noMatch}, last_lookup_id = (SELECT max(id) FROM fresh)
      WHERE id = ${batchId}`,
  );
}

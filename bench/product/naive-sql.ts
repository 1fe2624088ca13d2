import type pg from 'pg';

/** A company to look up, as the payload of its job. */
export interface CompanyJob {
  readonly lookupId: string;
  readonly batchId: number;
  readonly subjectKey: string;
  readonly domain: string | null;
  readonly name: string;
  readonly nameKey: string;
}

const priceMicro = 200_000;

interface GivenRow {
  readonly answer_id: string;
  readonly ads: number;
  readonly newest_day: string | null;
}

/** Prepared once per connection. The same tables, functions and guards as the product's commit, for one company. */
const statements = {
  reserve: `SELECT nightshift.credit_reserve($1, ARRAY[$2::bigint], ARRAY[1::smallint], ARRAY[$3::bigint]) AS status`,
  find: `SELECT d.answer_id, a.ads, d.newest_day::text AS newest_day
    FROM nightshift.advertiser_names n JOIN nightshift.advertisers d ON d.id = n.advertiser_key
    JOIN nightshift.answers a ON a.id = d.answer_id
    WHERE n.name_key = $1 AND n.snapshot_id = (SELECT id FROM nightshift.snapshots WHERE name = 'snapshot')`,
  resolve: `SELECT nightshift.credit_resolve($1, ARRAY[$2::bigint], ARRAY[1::smallint], ARRAY[$3::bigint]) AS status`,
  end: `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, outcome, source,
      matched_by, ads_count, charged_micro, ended_at, answer_id, newest_day)
    VALUES ($1, $2, $3, 'ads_search', $4, $5, $6, $7, 'snapshot', $8, $9, $10, now(), $11, $12)`,
} as const;

/** Commits one company in one transaction. */
export async function commitCompany(pool: pg.Pool, accountId: number, job: CompanyJob): Promise<void> {
  const client = await pool.connect();
  const run = (name: keyof typeof statements, values: readonly unknown[]) =>
    client.query<Partial<GivenRow>>({ name, text: statements[name], values: [...values] });
  try {
    await client.query('BEGIN');
    await run('reserve', [accountId, job.lookupId, priceMicro]);
    const given = (await run('find', [job.nameKey])).rows[0] ?? {};
    const ads = given.ads ?? 0;
    const charge = ads > 0 ? priceMicro : 0;
    await run('resolve', [accountId, job.lookupId, charge]);
    const subject = [job.lookupId, accountId, job.batchId, job.subjectKey, job.domain, job.name];
    const outcome = [ads > 0 ? 'found' : 'no_match', ads > 0 ? 'name' : null, ads, charge];
    await run('end', [...subject, ...outcome, given.answer_id ?? null, given.newest_day ?? null]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Finishes the batch like the product: one chunk for all its lookups, and the state. */
export async function finishBatch(pool: pg.Pool, batchId: number): Promise<void> {
  await pool.query(
    `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, found,
      no_match, charged_micro, first_ended_at, last_ended_at)
    SELECT account_id, batch_id, min(id), max(id), 'done', ${priceMicro}, count(*), count(*) FILTER (WHERE outcome = 'found'),
      count(*) FILTER (WHERE outcome = 'no_match'), sum(charged_micro), min(ended_at), max(ended_at)
    FROM nightshift.lookups WHERE batch_id = $1 GROUP BY account_id, batch_id`,
    [batchId],
  );
  await pool.query(
    `UPDATE nightshift.batches SET state = 'finished', state_since = now(), finished_at = now(), dispatched_to = last_lookup_id
    WHERE id = $1`,
    [batchId],
  );
}

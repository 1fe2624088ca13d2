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

/** Prepared once per connection. The same tables, functions and guards as the product's commit, for one company. */
const statements = {
  reserve: `SELECT nightshift.credit_reserve($1, ARRAY[$2::bigint], ARRAY[1::smallint], ARRAY[$3::bigint]) AS status`,
  refer: `INSERT INTO nightshift.lookup_answers (lookup_id, answer_id, account_id, ads, newest_day)
    SELECT $1, d.answer_id, $3, a.ads, d.newest_day
    FROM nightshift.advertiser_names n JOIN nightshift.advertisers d ON d.id = n.advertiser_key
    JOIN nightshift.answers a ON a.id = d.answer_id
    WHERE n.name_key = $2 AND n.snapshot_id = (SELECT id FROM nightshift.snapshots WHERE name = 'snapshot')
    RETURNING ads`,
  resolve: `SELECT nightshift.credit_resolve($1, ARRAY[$2::bigint], ARRAY[1::smallint], ARRAY[$3::bigint]) AS status`,
  end: `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, outcome, source,
      matched_by, ads_count, charged_micro, ended_at)
    VALUES ($1, $2, $3, 'ads_search', $4, $5, $6, $7, 'snapshot', $8, $9, $10, now())`,
} as const;

/** Commits one company in one transaction. */
export async function commitCompany(pool: pg.Pool, accountId: number, job: CompanyJob): Promise<void> {
  const client = await pool.connect();
  const run = (name: keyof typeof statements, values: readonly unknown[]) =>
    client.query<{ readonly ads?: number }>({ name, text: statements[name], values: [...values] });
  try {
    await client.query('BEGIN');
    await run('reserve', [accountId, job.lookupId, priceMicro]);
    const given = await run('refer', [job.lookupId, job.nameKey, accountId]);
    const ads = given.rows[0]?.ads ?? 0;
    const charge = ads > 0 ? priceMicro : 0;
    await run('resolve', [accountId, job.lookupId, charge]);
    const subject = [job.lookupId, accountId, job.batchId, job.subjectKey, job.domain, job.name];
    await run('end', [...subject, ads > 0 ? 'found' : 'no_match', ads > 0 ? 'name' : null, ads, charge]);
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

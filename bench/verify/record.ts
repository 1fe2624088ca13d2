import { connect } from '../support/bench-server.ts';
import { runStatements } from '../support/statements.ts';

/** A finished batch to store. */
export interface StoredBatch {
  readonly accountId: number;
  readonly publicId: string;
  readonly lookups: number;
  /** Lookups before those of the batch. */
  readonly after: bigint;
}

const answersOfRecord = 20_000;
const adsPerAnswer = 5;
const priceMicro = 200_000;

/** Stores ads and answers of five ads each, which the lookups of all batches share. */
export async function storeAnswers(url: string): Promise<void> {
  await runAll(url, answerStatements, {});
}

/** Stores a finished batch with set-based SQL: rows, lookups, chunks, and the charges through the functions of the ledger. */
export async function storeBatch(url: string, batch: StoredBatch): Promise<void> {
  await runAll(url, batchStatements, {
    ':account': String(batch.accountId),
    ':batch': `'${batch.publicId}'`,
    ':first': String(batch.after + 1n),
    ':last': String(batch.after + BigInt(batch.lookups)),
  });
}

async function runAll(
  url: string,
  statements: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const client = await connect(url, '-c synchronous_commit=off -c enable_nestloop=on');
  try {
    await runStatements(client, statements, values);
  } finally {
    await client.end();
  }
}

const answerStatements = [
  `INSERT INTO nightshift.ads (advertiser_id, creative_id)
    SELECT 'AR' || n, 'CR' || n FROM generate_series(1, ${answersOfRecord}) n`,
  `INSERT INTO nightshift.ad_versions (ad_id, content_hash, advertiser_name, format)
    SELECT id, nightshift.ad_content_hash(advertiser_id, 'text', NULL, NULL, NULL, NULL, NULL, NULL, '[]'), advertiser_id, 'text'
    FROM nightshift.ads ORDER BY id`,
  `SELECT count(*) FROM nightshift.store_answers(
    (SELECT array_agg(n ORDER BY n, k) FROM generate_series(1, ${answersOfRecord}) n, generate_series(1, ${adsPerAnswer}) k),
    (SELECT array_agg(((n + k) % ${answersOfRecord} + (SELECT min(id) FROM nightshift.ad_versions)) ORDER BY n, k)
      FROM generate_series(1, ${answersOfRecord}) n, generate_series(1, ${adsPerAnswer}) k),
    array_fill(NULL::date, ARRAY[${answersOfRecord * adsPerAnswer}]),
    (SELECT array_agg(date '2026-11-01' - k ORDER BY n, k)
      FROM generate_series(1, ${answersOfRecord}) n, generate_series(1, ${adsPerAnswer}) k))`,
];

const batchStatements = [
  `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256, operations, header, column_map,
      sources, rows_total, lookups_total, last_lookup_id, dispatched_to, loaded_at, finished_at)
    VALUES (:batch, :account, 'verify.csv', 'finished', :batch, :batch, '{ads_search}', '{company,domain}', '{}', '{snapshot}',
      :last - :first + 1, :last - :first + 1, :last, :last, now(), now())`,
  `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, outcome, source, ads_count,
      charged_micro, ended_at, answer_id)
    SELECT n, :account, b.id, 'ads_search', 'd:company-' || n || '.example', 'company-' || n || '.example',
      CASE WHEN n % 10 < 7 THEN 'found' ELSE 'none' END, 'snapshot',
      CASE WHEN n % 10 < 7 THEN ${adsPerAnswer} ELSE 0 END, CASE WHEN n % 10 < 7 THEN ${priceMicro} ELSE 0 END, now(),
      CASE WHEN n % 10 < 7 THEN a.first + n % ${answersOfRecord} END
    FROM generate_series(:first::bigint, :last) n, nightshift.batches b, (SELECT min(id) AS first FROM nightshift.answers) a
    WHERE b.public_id = :batch`,
  `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups)
    SELECT b.id, (n - :first) / 32, count(*), ARRAY[min(n - :first + 2)],
      string_agg('Company ' || n || E'\\x1f' || 'company-' || n || '.example', E'\\x1e' ORDER BY n), ARRAY[min(n)]
    FROM generate_series(:first::bigint, :last) n, nightshift.batches b WHERE b.public_id = :batch GROUP BY 1, 2 ORDER BY 2`,
  `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, found, none,
      charged_micro, first_ended_at, last_ended_at)
    SELECT l.account_id, l.batch_id, min(l.id), max(l.id), 'done', ${priceMicro}, count(*), count(*) FILTER (WHERE l.outcome = 'found'),
      count(*) FILTER (WHERE l.outcome = 'none'), sum(l.charged_micro), min(l.ended_at), max(l.ended_at)
    FROM nightshift.lookups l JOIN nightshift.batches b ON b.id = l.batch_id AND b.public_id = :batch
    GROUP BY l.account_id, l.batch_id, (l.id - :first) / 500 ORDER BY 3`,
  `SELECT count(nightshift.credit_reserve(:account, c.lookups, c.attempts, c.prices)) FROM (
    SELECT array_agg(n ORDER BY n) AS lookups, array_agg(1::smallint) AS attempts, array_agg(${priceMicro}::bigint) AS prices
    FROM generate_series(:first::bigint, :last) n GROUP BY (n - :first) / 500 ORDER BY min(n)) c`,
  `SELECT count(nightshift.credit_resolve(:account, c.lookups, c.attempts, c.actuals)) FROM (
    SELECT array_agg(n ORDER BY n) AS lookups, array_agg(1::smallint) AS attempts,
      array_agg(CASE WHEN n % 10 < 7 THEN ${priceMicro} ELSE 0 END::bigint ORDER BY n) AS actuals
    FROM generate_series(:first::bigint, :last) n GROUP BY (n - :first) / 500 ORDER BY min(n)) c`,
  'VACUUM (ANALYZE)',
];

/** Columns of the staged file: the original ones, then those that the producer derives. */
export const stage = `CREATE TEMPORARY TABLE staged (row_no integer, line_no integer, company text, website text, country text,
  employees text, note text, key text, domain text, name text, name_key text, reject_reason text, warning text, matched_by text, match_id bigint,
  match_percent smallint, match_reasons text)`;

export const copyStaged = `COPY pg_temp.staged FROM STDIN (FORMAT csv)`;

export const insertBatch = `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256,
    operations, header, column_map, sources, rows_total, rows_rejected, loaded_at)
  SELECT 'bat_floor_' || $1, a.id, 'companies.csv', 'running', sha256($1::text::bytea), sha256($1::text::bytea), '{ads_search}',
    '{company,website,country,employees,note}', '{"company_name": 0, "company_domain": 1}', '{snapshot}', count(s.*),
    count(s.reject_reason), now()
  FROM nightshift.accounts a, pg_temp.staged s WHERE a.name = 'default' GROUP BY a.id
  RETURNING id, account_id`;

/** One lookup per distinct company, numbered in file order, with ids from the product's own sequence. */
export const makeSubjects = `CREATE TEMPORARY TABLE subjects AS
  SELECT b.first + row_number() OVER (ORDER BY s.row_no) - 1 AS id, s.*
  FROM (SELECT DISTINCT ON (key) row_no, key, domain, name, name_key, matched_by, match_id, match_percent,
    match_reasons FROM pg_temp.staged WHERE key IS NOT NULL ORDER BY key, row_no) s
  CROSS JOIN (SELECT min(block) AS first FROM (
    SELECT nextval('nightshift.lookup_id_blocks') AS block
    FROM generate_series(1, (SELECT count(DISTINCT key) FROM pg_temp.staged) / 1000 + 1)) n) b`;

/** Packs the rows as the product does. */
export const insertRows = `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups, ads_repeats,
    reject_reasons, warnings)
  SELECT $1, (s.row_no - 1) / 32 AS block_no, count(*), array_agg(s.line_no ORDER BY s.row_no),
    string_agg(concat_ws(E'\\x1f', coalesce(s.company, ''), coalesce(s.website, ''), coalesce(s.country, ''),
      coalesce(s.employees, ''), coalesce(s.note, '')), E'\\x1e' ORDER BY s.row_no),
    CASE WHEN count(u.id) > 0 THEN array_agg(u.id ORDER BY s.row_no) END,
    nullif(bit_or(CASE WHEN u.row_no <> s.row_no THEN 1 << ((s.row_no - 1) % 32) ELSE 0 END), 0),
    CASE WHEN count(s.reject_reason) > 0 THEN array_agg(s.reject_reason ORDER BY s.row_no) END,
    CASE WHEN count(s.warning) > 0 THEN array_agg(s.warning ORDER BY s.row_no) END
  FROM pg_temp.staged s LEFT JOIN pg_temp.subjects u USING (key)
  GROUP BY 2 ORDER BY 2`;

export const reserve = `SELECT nightshift.credit_reserve($1, array_agg(id ORDER BY id), array_agg(1::smallint),
    array_agg($2::bigint)) FROM pg_temp.subjects`;

/** The evaluations of the advertisers, which the producer derives; without those of companies that have no ads. */
export const insertMatches = `INSERT INTO nightshift.advertiser_matches (id, relation, confidence_percent, reasons)
  SELECT DISTINCT u.match_id, 'own', u.match_percent, string_to_array(u.match_reasons, ' ') FROM pg_temp.subjects u
  WHERE u.name_key IN (SELECT name_key FROM nightshift.advertiser_names)
  ON CONFLICT DO NOTHING`;

/** Inserts references and outcomes together: a lookup is written with its outcome, never updated. */
export const insertLookups = `WITH given AS (
    SELECT u.id AS lookup_id, d.answer_id, a.ads, d.newest_day
    FROM pg_temp.subjects u
    JOIN nightshift.advertiser_names n ON n.name_key = u.name_key
    JOIN nightshift.snapshots p ON p.id = n.snapshot_id AND p.name = 'snapshot'
    JOIN nightshift.advertisers d ON d.id = n.advertiser_key
    JOIN nightshift.answers a ON a.id = d.answer_id
  )
  INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, outcome, source,
    matched_by, ads_count, charged_micro, ended_at, answer_id, newest_day, matches)
  SELECT u.id, $1, $2, 'ads_search', u.key, u.domain, u.name, CASE WHEN c.ads > 0 THEN 'found' ELSE 'no_match' END, 'snapshot',
    CASE WHEN c.ads > 0 THEN u.matched_by END, coalesce(c.ads, 0), CASE WHEN c.ads > 0 THEN $3::bigint ELSE 0 END, now(), c.answer_id, c.newest_day,
    CASE WHEN c.ads > 0 THEN ARRAY[u.match_id] END
  FROM pg_temp.subjects u LEFT JOIN given c ON c.lookup_id = u.id
  ORDER BY u.id`;

export const resolve = `SELECT nightshift.credit_resolve($1, array_agg(id ORDER BY id), array_agg(1::smallint),
    array_agg(charged_micro ORDER BY id)) FROM nightshift.lookups WHERE batch_id = $2`;

export const insertChunks = `INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro,
    lookups, found, no_match, charged_micro, first_ended_at, last_ended_at)
  SELECT account_id, batch_id, min(id), max(id), 'done', $2, count(*), count(*) FILTER (WHERE outcome = 'found'),
    count(*) FILTER (WHERE outcome = 'no_match'), sum(charged_micro), min(ended_at), max(ended_at)
  FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1) / 500 AS chunk FROM nightshift.lookups WHERE batch_id = $1) l
  GROUP BY account_id, batch_id, chunk ORDER BY chunk`;

export const finishBatch = `UPDATE nightshift.batches b SET state = 'finished', finished_at = now(), lookups_total = l.lookups,
    last_lookup_id = l.last_id, dispatched_to = l.last_id
  FROM (SELECT count(*) AS lookups, max(id) AS last_id FROM nightshift.lookups WHERE batch_id = $1) l WHERE b.id = $1`;

const ownColumns = ['company', 'website', 'country', 'employees', 'note']
  .map((name, i) => `nullif(r.cells[${i + 1}], '') AS ${name}`)
  .join(', ');

const outcomeColumns = (
  isFirst: string,
) => `CASE WHEN r.reject_reason IS NULL THEN l.outcome ELSE 'rejected' END AS ads_outcome,
  coalesce(r.reject_reason, l.reason) AS ads_reason, l.matched_by AS ads_matched_by, l.source AS ads_source,
  CASE WHEN r.reject_reason IS NULL THEN (l.repeats IS NOT NULL)::text END AS ads_from_cache,
  to_char(l.observed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ads_observed_at,
  CASE WHEN r.reject_reason IS NULL THEN coalesce(l.partial, false)::text END AS ads_partial,
  CASE WHEN l.outcome IN ('found', 'none') THEN l.ads_count END AS ads_count,
  CASE WHEN r.reject_reason IS NULL THEN coalesce(l.truncated, false)::text END AS ads_truncated,
  l.estimate_low AS ads_estimate_low, l.estimate_high AS ads_estimate_high,
  CASE WHEN ${isFirst} THEN trim_scale(coalesce(l.charged_micro, 0) / 1000000.0) ELSE 0 END AS ads_credits_consumed,
  r.warning AS ads_warning, l.partial_reason AS ads_partial_reason,
  l.uncertain_advertisers AS ads_uncertain_advertisers, r.line_no AS input_line`;

const rowsOf = (
  batchId: number,
) => `FROM nightshift.batch_rows r LEFT JOIN nightshift.lookups l ON l.id = r.ads_lookup_id
  {joins} WHERE r.batch_id = ${batchId} ORDER BY r.block_no, r.row_no`;

/** The product's export, column by column. */
export function copyRows(batchId: number): string {
  return `COPY (SELECT ${ownColumns}, ${outcomeColumns('r.is_first')} ${rowsOf(batchId).replace('{joins}', '')})
    TO STDOUT (FORMAT csv, HEADER)`;
}

/** Columns of details, which no ad of the snapshot has. */
const detailColumns = [
  'payer topic days_shown times_shown_lower times_shown_upper regions surfaces target_domain preview_url',
  'advertiser_legal_name advertiser_location advertiser_verification',
].flatMap((names) => names.split(' '));

/** The same export with one line per ad. */
export function copyAds(batchId: number): string {
  const joins = `LEFT JOIN nightshift.lookup_ads la ON la.lookup_id = l.id
    LEFT JOIN nightshift.ad_contents v ON v.id = la.version_id
    LEFT JOIN nightshift.advertiser_matches m ON m.id = la.match_id`;
  const noDetails = detailColumns.map((name) => `NULL AS ${name}`).join(', ');
  return `COPY (SELECT ${ownColumns}, ${outcomeColumns('r.is_first AND coalesce(la.position, 1) = 1')}, 'google:' || v.advertiser_id AS advertiser_id,
      'google:' || v.creative_id AS creative_id, v.advertiser_name, v.format, v.original_url, la.start, la.last_seen, v.headline, v.description, v.display_url,
      v.final_url, v.ad_type, v.variants_count, CASE WHEN la.position IS NOT NULL THEN coalesce(la.relation, 'own') END AS relation,
      trim_scale(m.confidence_percent / 100.0) AS relation_confidence, array_to_string(m.reasons, ' ') AS relation_reasons,
      CASE WHEN la.position IS NOT NULL THEN 'google' END AS platform, ${noDetails} ${rowsOf(batchId).replace('{joins}', joins)}, la.position)
    TO STDOUT (FORMAT csv, HEADER)`;
}

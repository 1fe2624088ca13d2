import { sql, type SQL } from 'drizzle-orm';
import { shortId } from '../../../src/core/companies/platform-id.ts';
import { blockOf } from '../../../src/core/batches/row-blocks.ts';
import type { RowRange } from '../../../src/core/rows/row-ranges.ts';
import { asksForAds, type ResultFilter, type RowOutcome } from '../../../src/core/batches/result-filter.ts';

/** Puts a value of a filter into a statement: as a parameter, or as text if the statement takes none. */
export type PutValue = (value: string) => SQL;

/** As a parameter. */
export const putParameter: PutValue = (value) => sql`${value}::text`;

/**
 * Text of row `r` and its ads lookup `l`, in lower case. The search blocks use the same text, so that every match in a row is a match in
 * its block.
 */
export const rowTextSql: SQL = sql`lower(concat_ws(E'\\n', array_to_string(r.cells, E'\\n'), l.company_domain))`;

/** Texts of the version `v` of an ad; a word is in one of them, never across two. */
export const adTextsSql: SQL = sql`v.advertiser_name, v.headline, v.display_url`;

/** The same as one text, in lower case. */
export const adTextSql: SQL = sql`lower(concat_ws(E'\\n', ${adTextsSql}))`;

/** Options for putting a filter's conditions into a statement. */
export interface ConditionOptions {
  /** Default: as parameters. */
  readonly put?: PutValue;
  /** True when any of the words can occur in an ad of the row. Default: true. */
  readonly wordsInAds?: SQL;
  /** True to read the ads of each row separately, which is better for few rows; otherwise Postgres may search all ads. Default false. */
  readonly rowByRow?: boolean;
}

/**
 * Condition that a row matches, by itself or with one of its ads: row `r`, its lookups `l` and `m`, its verdict `e`, and its
 * text `t.text`.
 */
export function rowIsWantedSql(
  batchId: number,
  filter: ResultFilter,
  { put = putParameter, wordsInAds = sql`true`, rowByRow = false }: ConditionOptions = {},
): SQL {
  const { words } = filter;
  const rows = rowConditions(batchId, filter, put);
  const pair = [...adConditions(filter, put), ...splitPair(words, put)];
  if (pair.length === 0) return all(rows);
  const withAd = sql`l.ads_count > 0 AND EXISTS (SELECT FROM nightshift.lookup_ads la
    JOIN nightshift.ad_versions v ON v.id = la.version_id JOIN nightshift.ads i ON i.id = v.ad_id
    WHERE la.lookup_id = l.id AND ${all(pair)} ${rowByRow ? sql`OFFSET 0` : sql``})`;
  if (words.length === 0) return all([...rows, withAd]);
  const inRow = all(wordsInRow(words, put));
  return asksForAds(filter)
    ? all([...rows, sql`(${wordsInAds} OR (${inRow}))`, withAd])
    : all([...rows, sql`((${inRow}) OR (${wordsInAds} AND ${withAd}))`]);
}

/** Condition that row `r`, as above, matches together with its ad: the link `la`, the version `v` and the identity `i`. */
export function adIsWantedSql(
  batchId: number,
  filter: ResultFilter,
  { put = putParameter, wordsInAds = sql`true` }: ConditionOptions = {},
): SQL {
  const { words } = filter;
  const mayBe = words.length === 0 ? [] : [sql`(${wordsInAds} OR (${all(wordsInRow(words, put))}))`];
  return all([
    ...rowConditions(batchId, filter, put),
    ...mayBe,
    ...adConditions(filter, put),
    ...splitPair(words, put),
  ]);
}

function all(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` AND `);
}

function wordsInRow(words: readonly string[], put: PutValue): readonly SQL[] {
  return words.map((word) => sql`strpos(t.text, lower(${put(word)})) > 0`);
}

/** Conditions that each word occurs in the row or in the ad. */
function splitPair(words: readonly string[], put: PutValue): readonly SQL[] {
  return words.map(
    (word) => sql`(strpos(t.text, lower(${put(word)})) > 0 OR strpos(${adTextSql}, lower(${put(word)})) > 0)`,
  );
}

function rowConditions(
  batchId: number,
  { companyKey, outcome, reason, emailStatus, recommendation, advertiserId, rows }: ResultFilter,
  put: PutValue,
): readonly SQL[] {
  return [
    ...(rows === null ? [] : [isInRowsSql(rows, put)]),
    ...(companyKey === null ? [] : [ofCompanySql(batchId, put(companyKey))]),
    ...(outcome === null ? [] : [outcomeSql(outcome, put)]),
    ...(reason === null
      ? []
      : [
          sql`${put(reason)} IN (coalesce(r.reject_reason, ''), coalesce(l.reason, ''), coalesce(m.reason, ''))`,
        ]),
    ...(emailStatus === null ? [] : [sql`e.status = ${put(emailStatus)}`]),
    ...(recommendation === null ? [] : [sql`e.recommendation = ${put(recommendation)}`]),
    ...(advertiserId === null
      ? []
      : [
          sql`EXISTS (SELECT FROM nightshift.lookup_advertisers s WHERE s.lookup_id = r.ads_lookup_id AND s.subject = ${put(shortId(advertiserId))})`,
        ]),
  ];
}

/** Condition that lookup `l` belongs to one of these rows of a batch. */
export function isOfRowsSql(batchId: number, rows: readonly RowRange[]): SQL {
  return sql`l.id IN (SELECT u.id FROM nightshift.batch_rows r
    CROSS JOIN LATERAL unnest(ARRAY[r.ads_lookup_id, r.email_lookup_id]) AS u(id)
    WHERE r.batch_id = ${batchId} AND u.id IS NOT NULL AND ${isInRowsSql(rows, putParameter)})`;
}

/** Condition that row `r` is one of these. Blocks without any of them are not unpacked. */
function isInRowsSql(rows: readonly RowRange[], put: PutValue): SQL {
  const blocks = rows.map(({ first, last }) => ({ first: blockOf(first), last: blockOf(last) }));
  return sql`r.block_no <@ (${put(multirange(blocks))})::int4multirange AND r.row_no <@ (${put(multirange(rows))})::int4multirange`;
}

function multirange(ranges: readonly RowRange[]): string {
  return `{${ranges.map(({ first, last }) => `[${first},${last}]`).join(',')}}`;
}

/** Materialized once: lookups of the company, one per generation. */
function ofCompanySql(batchId: number, key: SQL): SQL {
  return sql`r.ads_lookup_id = ANY (ARRAY(SELECT o.id FROM nightshift.all_lookups o
    WHERE o.batch_id = ${sql.raw(String(Math.trunc(batchId)))} AND o.operation = 'ads_search' AND o.subject_key = ${key}))`;
}

function outcomeSql(outcome: RowOutcome, put: PutValue): SQL {
  if (outcome === 'rejected') return sql`r.reject_reason IS NOT NULL`;
  return outcome === 'open'
    ? sql`r.ads_lookup_id IS NOT NULL AND l.outcome IS NULL`
    : sql`l.outcome = ${put(outcome)}`;
}

function adConditions({ advertiserId, format, seenSince }: ResultFilter, put: PutValue): readonly SQL[] {
  return [
    ...(advertiserId === null ? [] : [sql`i.advertiser_id = ${put(shortId(advertiserId))}`]),
    ...(format === null ? [] : [sql`lower(v.format) = lower(${put(format)})`]),
    ...(seenSince === null ? [] : [sql`la.last_seen >= (${put(seenSince)})::date`]),
  ];
}

/** Tables for the conditions besides row `r` and its lookup `l`: its address, and its text, computed once. */
export function askedTablesSql(filter: ResultFilter): SQL {
  return sql`${askedMailSql(filter)} ${askedTextSql(filter)}`;
}

export function askedMailSql({ reason, emailStatus, recommendation }: ResultFilter): SQL {
  const asked = [reason, emailStatus, recommendation].some((value) => value !== null);
  if (!asked) return sql``;
  return mailJoinsSql;
}

/** Lookup and verdict of a row's address. */
export const mailJoinsSql: SQL = sql`LEFT JOIN nightshift.lookups m ON m.id = r.email_lookup_id
    LEFT JOIN nightshift.email_results e ON e.lookup_id = m.id`;

export function askedTextSql({ words }: ResultFilter): SQL {
  return words.length === 0 ? sql`` : sql`CROSS JOIN LATERAL (SELECT ${rowTextSql} AS text OFFSET 0) t`;
}

/** Separates the texts of the rows of a block: the ASCII record separator. */
export const rowSeparator = '\x1e';

/** Maximum length of a reason in the marks of a block. */
export const reasonCharsMax = 100;

/** Conditions of a filter on a block `b`. */
export interface BlockConditions {
  /** True when the block may have a matching row. */
  readonly mayHave: SQL;
  /** True when any of the words occurs in one of its ads. */
  readonly wordsInAds: SQL;
}

/** Conditions on blocks; null if the filter has none that blocks support. */
export function blockConditions(filter: ResultFilter): BlockConditions | null {
  const { advertiserId, seenSince, words } = filter;
  const marks = marksOf(filter);
  const inAds = words.map((word) => sql`strpos(t.ad_text, lower(${word}::text)) > 0`);
  const wordsInAds = inAds.length === 0 ? sql`true` : sql`(${sql.join(inAds, sql` OR `)})`;
  const conditions = [
    ...(marks.length === 0 ? [] : [sql`b.marks @> ARRAY[${sql.join([...marks], sql`, `)}]`]),
    ...(advertiserId === null ? [] : [sql`b.advertisers @> ARRAY[${shortId(advertiserId)}::text]`]),
    ...(seenSince === null ? [] : [sql`b.last_seen >= ${seenSince}::date`]),
    ...domainConditions(filter),
    ...words.map((word, i) => sql`(${inRowsSql(word)} OR ${inAds[i]})`),
    ...(words.length < 2 ? [] : [sql`(${wordsInAds} OR ${wordsInOneRowSql(words)})`]),
  ];
  return conditions.length === 0 ? null : { mayHave: all(conditions), wordsInAds };
}

function marksOf({ outcome, reason, emailStatus, recommendation, format }: ResultFilter): readonly SQL[] {
  return [
    ...(outcome === null ? [] : [sql`${`outcome:${outcome}`}::text`]),
    ...(reason === null ? [] : [sql`'reason:' || left(${reason}::text, ${reasonCharsMax})`]),
    ...(emailStatus === null ? [] : [sql`${`email:${emailStatus}`}::text`]),
    ...(recommendation === null ? [] : [sql`${`recommendation:${recommendation}`}::text`]),
    ...(format === null ? [] : [sql`'format:' || lower(${format}::text)`]),
  ];
}

/** Pattern that cannot match across two rows: no row contains the separator. */
function inRowsSql(word: string): SQL {
  return sql`strpos(b.row_text, lower(${word.replaceAll(rowSeparator, ' ')}::text)) > 0`;
}

/** The row of a company with a domain contains it in its text; a company without one has a name with many spellings. */
function domainConditions({ companyKey }: ResultFilter): readonly SQL[] {
  const domain = companyKey?.startsWith('d:') === true ? companyKey.slice(2) : null;
  return domain === null ? [] : [sql`strpos(b.row_text, lower(${domain}::text)) > 0`];
}

/** The words of a block may occur in different rows of it, which is not a match. */
function wordsInOneRowSql(words: readonly string[]): SQL {
  const has = words.map(
    (word) => sql`strpos(n.text, lower(${word.replaceAll(rowSeparator, ' ')}::text)) > 0`,
  );
  return sql`EXISTS (SELECT FROM unnest(string_to_array(b.row_text, ${rowSeparator})) AS n(text) WHERE ${all(has)})`;
}

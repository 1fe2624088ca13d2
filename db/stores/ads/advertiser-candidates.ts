import { sql, type SQL } from 'drizzle-orm';
import type {
  AdvertiserCandidate,
  AdvertiserCandidateStore,
  CandidateCounts,
  CandidateFilter,
  CandidatesWanted,
  ReportedCandidate,
} from '../../../src/core/companies/advertiser-candidates.ts';
import type { MatchReason } from '../../../src/core/companies/match/reasons.ts';
import { group } from '../../../src/core/group.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { confidencePercent } from './advertiser-matches.ts';

/** Advertisers that wait for a decision, in `nightshift.advertiser_candidates`. */
export function createAdvertiserCandidateStore(db: Sql): AdvertiserCandidateStore {
  return {
    list: (accountId, wanted) => withDatabase(() => listCandidates(db, accountId, wanted)),
    listOf: (accountId, keys) => withDatabase(() => listCandidatesOf(db, accountId, keys)),
    count: (accountId, filter) => withDatabase(() => countCandidates(db, accountId, filter)),
    find: (...subject) => withDatabase(() => findCandidate(db, subject)),
  };
}

/**
 * Records candidates in one statement, as a part of the transaction that commits their lookups. A candidate that is known keeps its first time and
 * gets everything else anew.
 */
export async function recordCandidates(db: Sql, reported: readonly ReportedCandidate[]): Promise<void> {
  const distinct = sortDistinct(reported);
  if (distinct.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.advertiser_candidates (account_id, company_key, advertiser_id, name, legal_name, location, verification,
        ads_count, confidence_percent, reasons, source, lookup_id)
      SELECT e.account_id, e.company_key, e.advertiser_id, e.name, e.legal_name, e.location, e.verification, e.ads_count,
        e.confidence_percent, string_to_array(e.reasons, ' '), e.source, e.lookup_id
      FROM unnest(${bigints(distinct.map((each) => each.accountId))}, ${texts(distinct.map((each) => each.companyKey))},
          ${texts(distinct.map((each) => each.advertiserId))}, ${texts(distinct.map((each) => each.name))},
          ${texts(distinct.map((each) => each.legalName))}, ${texts(distinct.map((each) => each.location))},
          ${texts(distinct.map((each) => each.verification))}, ${ints(distinct.map((each) => each.adsCount))},
          ${ints(distinct.map(confidencePercent))}, ${texts(distinct.map((each) => each.reasons.join(' ')))},
          ${texts(distinct.map((each) => each.source))}, ${bigints(distinct.map((each) => each.lookupId))})
        AS e(account_id, company_key, advertiser_id, name, legal_name, location, verification, ads_count, confidence_percent, reasons,
          source, lookup_id)
      ON CONFLICT (account_id, company_key, advertiser_id) DO UPDATE SET name = excluded.name, legal_name = excluded.legal_name,
        location = excluded.location, verification = excluded.verification, ads_count = excluded.ads_count,
        confidence_percent = excluded.confidence_percent, reasons = excluded.reasons, source = excluded.source, last_seen_at = now(),
        lookup_id = excluded.lookup_id`,
  );
}

/** The last report of each candidate, sorted by key, so that two commits with the same candidates do not deadlock. */
function sortDistinct(reported: readonly ReportedCandidate[]): readonly ReportedCandidate[] {
  const last = new Map(
    reported.map((each) => [JSON.stringify([each.accountId, each.companyKey, each.advertiserId]), each]),
  );
  return [...last].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

interface CandidateRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly advertiser_id: string;
  readonly name: string | null;
  readonly legal_name: string | null;
  readonly location: string | null;
  readonly verification: string | null;
  readonly ads_count: number | null;
  readonly confidence_percent: number;
  readonly reasons: readonly MatchReason[];
  readonly source: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly lookup_id: string;
}

const columnsSql = sql`c.company_key, c.advertiser_id, c.name, c.legal_name, c.location, c.verification, c.ads_count, c.confidence_percent,
  c.reasons, c.source, c.first_seen_at, c.last_seen_at, c.lookup_id`;

/** Condition on a candidate `c` of an account that waits for a decision. */
function waitingSql(accountId: number, { companyKey, batch }: CandidateFilter): SQL {
  const ofCompany = companyKey === undefined ? sql`` : sql` AND c.company_key = ${companyKey}`;
  const ofBatch =
    batch === undefined
      ? sql``
      : sql` AND EXISTS (SELECT FROM nightshift.lookups l JOIN nightshift.batches b ON b.id = l.batch_id
          WHERE l.id = c.lookup_id AND b.public_id = ${batch} AND b.account_id = c.account_id)`;
  return sql`c.account_id = ${accountId}${ofCompany}${ofBatch} AND NOT EXISTS (
    SELECT FROM nightshift.company_advertisers m
    WHERE m.account_id = c.account_id AND m.company_key = c.company_key AND m.advertiser_id = c.advertiser_id)`;
}

async function listCandidates(
  db: Sql,
  accountId: number,
  { after, limit, ...filter }: CandidatesWanted,
): Promise<readonly AdvertiserCandidate[]> {
  const from =
    after === undefined
      ? sql``
      : sql` AND (-c.confidence_percent, c.company_key, c.advertiser_id)
          > (${-confidencePercent(after)}::integer, ${after.companyKey}::text, ${after.advertiserId}::text)
        AND c.confidence_percent <= ${confidencePercent(after)}::integer`;
  const found = await db.execute<CandidateRow>(
    sql`SELECT ${columnsSql} FROM nightshift.advertiser_candidates c
      WHERE ${waitingSql(accountId, filter)}${from}
      ORDER BY c.confidence_percent DESC, c.company_key, c.advertiser_id LIMIT ${limit}`,
  );
  return found.rows.map(toCandidate);
}

async function listCandidatesOf(
  db: Sql,
  accountId: number,
  companyKeys: readonly string[],
): Promise<ReadonlyMap<string, readonly AdvertiserCandidate[]>> {
  if (companyKeys.length === 0) return new Map();
  const found = await db.execute<CandidateRow>(
    sql`SELECT ${columnsSql} FROM nightshift.advertiser_candidates c
      WHERE ${waitingSql(accountId, {})} AND c.company_key = ANY (${texts(companyKeys)})
      ORDER BY c.confidence_percent DESC, c.advertiser_id`,
  );
  return group(found.rows.map(toCandidate), (candidate) => [candidate.companyKey, candidate]);
}

async function findCandidate(
  db: Sql,
  [accountId, companyKey, advertiserId]: Parameters<AdvertiserCandidateStore['find']>,
): Promise<AdvertiserCandidate | null> {
  const found = await db.execute<CandidateRow>(
    sql`SELECT ${columnsSql} FROM nightshift.advertiser_candidates c
      WHERE c.account_id = ${accountId} AND c.company_key = ${companyKey} AND c.advertiser_id = ${advertiserId}`,
  );
  return found.rows.map(toCandidate)[0] ?? null;
}

function toCandidate(row: CandidateRow): AdvertiserCandidate {
  return {
    companyKey: row.company_key,
    advertiserId: row.advertiser_id,
    name: row.name,
    legalName: row.legal_name,
    location: row.location,
    verification: row.verification,
    adsCount: row.ads_count,
    confidence: row.confidence_percent / 100,
    reasons: row.reasons,
    source: row.source,
    firstSeenAt: new Date(row.first_seen_at),
    lastSeenAt: new Date(row.last_seen_at),
    lookupId: BigInt(row.lookup_id),
  };
}

async function countCandidates(
  db: Sql,
  accountId: number,
  filter: CandidateFilter = {},
): Promise<CandidateCounts> {
  const found = await db.execute<{ advertisers: number; companies: number }>(
    sql`SELECT count(*)::integer AS advertisers, count(DISTINCT c.company_key)::integer AS companies
      FROM nightshift.advertiser_candidates c WHERE ${waitingSql(accountId, filter)}`,
  );
  return found.rows[0] ?? { advertisers: 0, companies: 0 };
}

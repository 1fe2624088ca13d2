import { eq, sql, type SQL } from 'drizzle-orm';
import type { AdvertiserRole } from '../../../src/core/companies/company-mapping.ts';
import type {
  UnidentifiedCompany,
  UnidentifiedState,
  UnidentifiedStore,
  UnidentifiedWanted,
} from '../../../src/core/companies/unidentified.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { bigints } from '../sql/arrays.ts';
import { isOfRowsSql } from '../sql/result-conditions.ts';
import { isLatestSql, isMappedSinceSql, namesAdvertiserSql } from '../sql/mapped-since.ts';

/** The companies of a batch that no source has identified, from its lookups and the account's mapping. */
export function createUnidentifiedStore(db: Sql): UnidentifiedStore {
  return {
    list: (batchId, wanted) => withDatabase(() => listUnidentified(db, batchId, wanted)),
    count: (batchId) =>
      withDatabase(async () => {
        const { rows } = await db.execute<{ state: UnidentifiedState; companies: number }>(
          sql`SELECT ${stateSql} AS state, count(*)::integer AS companies FROM nightshift.lookups l
            WHERE ${isUnidentified(batchId)} GROUP BY 1`,
        );
        const counts = new Map(rows.map(({ state, companies }) => [state, companies]));
        const of = (state: UnidentifiedState) => counts.get(state) ?? 0;
        return { open: of('open'), mapped: of('mapped'), denied: of('denied') };
      }),
    listMappedAdvertisers: (batchId) =>
      withDatabase(async () => {
        const { rows } = await db.execute<{ advertiser_id: string }>(
          sql`SELECT DISTINCT m.advertiser_id FROM nightshift.lookups l
            JOIN nightshift.company_advertisers m ON ${namesAdvertiserSql}
            WHERE ${isUnidentified(batchId)} AND ${isMappedSinceSql} ORDER BY 1`,
        );
        return rows.map((row) => row.advertiser_id);
      }),
    readColumns: (batchId) =>
      withDatabase(async () => {
        const [batch] = await db
          .select({ header: batches.header })
          .from(batches)
          .where(eq(batches.id, batchId));
        return batch?.header ?? [];
      }),
  };
}

/** Condition that a person has dismissed the company of lookup `l`. */
const isDismissedSql: SQL = sql`EXISTS (SELECT FROM nightshift.company_mapping_changes h
  WHERE h.account_id = l.account_id AND h.company_key = l.subject_key AND h.dismissed)`;

/** `UnidentifiedState` of lookup `l`. */
const stateSql: SQL = sql`CASE WHEN ${isMappedSinceSql} THEN 'mapped'
  WHEN ${isDismissedSql} THEN 'denied'
  WHEN EXISTS (SELECT FROM nightshift.company_advertisers m WHERE m.account_id = l.account_id AND m.company_key = l.subject_key)
    AND NOT EXISTS (SELECT FROM nightshift.company_advertisers m WHERE ${namesAdvertiserSql}) THEN 'denied'
  ELSE 'open' END`;

function isUnidentified(batchId: number): SQL {
  return sql`l.batch_id = ${batchId} AND l.operation = 'ads_search' AND l.outcome = 'no_match' AND ${isLatestSql}`;
}

interface UnidentifiedRow extends Record<string, unknown> {
  readonly id: string;
  readonly subject_key: string;
  readonly company_domain: string | null;
  readonly company_name: string | null;
  readonly ended_at: string;
  readonly state: UnidentifiedState;
  readonly is_dismissed: boolean;
  readonly mapping: readonly (readonly [advertiserId: string, role: AdvertiserRole])[];
}

async function listUnidentified(
  db: Sql,
  batchId: number,
  { state, rows: ofRows, after = '', limit }: UnidentifiedWanted,
): Promise<readonly UnidentifiedCompany[]> {
  const inState = state === undefined ? sql`` : sql` AND ${stateSql} = ${state}`;
  const inRows = ofRows === undefined ? sql`` : sql` AND ${isOfRowsSql(batchId, ofRows)}`;
  const { rows } = await db.execute<UnidentifiedRow>(
    sql`SELECT l.id, l.subject_key, l.company_domain, l.company_name, l.ended_at, ${stateSql} AS state,
        ${isDismissedSql} AS is_dismissed,
        coalesce((SELECT jsonb_agg(jsonb_build_array(m.advertiser_id, m.role) ORDER BY m.advertiser_id COLLATE "C")
          FROM nightshift.company_advertisers m WHERE m.account_id = l.account_id AND m.company_key = l.subject_key), '[]') AS mapping
      FROM nightshift.lookups l
      WHERE ${isUnidentified(batchId)} AND l.subject_key > ${after}${inState}${inRows}
      ORDER BY l.subject_key LIMIT ${limit}`,
  );
  const first = await findFirstRows(
    db,
    batchId,
    rows.map(({ id }) => BigInt(id)),
  );
  return rows.map((row) => ({
    companyKey: row.subject_key,
    domain: row.company_domain,
    name: row.company_name,
    state: row.state,
    isDismissed: row.is_dismissed,
    endedAt: new Date(row.ended_at),
    row: first.get(row.id) ?? null,
    mapping: row.mapping.map(([advertiserId, role]) => ({ advertiserId, role })),
  }));
}

/** Blocks that cannot have a row of these lookups are not unpacked. A block of one id has the 32 that follow each other. */
async function findFirstRows(
  db: Sql,
  batchId: number,
  lookupIds: readonly bigint[],
): Promise<ReadonlyMap<string, NonNullable<UnidentifiedCompany['row']>>> {
  if (lookupIds.length === 0) return new Map();
  const ids = bigints(lookupIds);
  const { rows } = await db.execute<{
    id: string;
    row_no: number;
    line_no: number;
    cells: readonly string[];
  }>(
    sql`SELECT DISTINCT ON (r.ads_lookup_id) r.ads_lookup_id AS id, r.row_no, r.line_no, r.cells
      FROM nightshift.batch_rows r
      WHERE r.batch_id = ${batchId} AND r.ads_lookup_id = ANY (${ids}) AND r.block_no IN (
        SELECT b.block_no FROM nightshift.row_blocks b WHERE b.batch_id = ${batchId} AND CASE cardinality(b.ads_lookups)
          WHEN 1 THEN EXISTS (SELECT FROM unnest(${ids}) u(id) WHERE u.id BETWEEN b.ads_lookups[1] AND b.ads_lookups[1] + 31)
          ELSE b.ads_lookups && ${ids} END)
      ORDER BY r.ads_lookup_id, r.row_no`,
  );
  return new Map(rows.map(({ id, row_no: rowNo, line_no: lineNo, cells }) => [id, { rowNo, lineNo, cells }]));
}

import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type {
  AdvertiserRole,
  CompanyMapping,
  CompanyMappingStore,
  ListedMapping,
  MappedAdvertiser,
  MappingEntry,
  MappingFilter,
  MappingsWanted,
} from '../../../src/core/companies/company-mapping.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { shareCalls } from '../../connection/share-calls.ts';
import { companyAdvertisers } from '../../schema/ads.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { writeAudit } from '../accounts/audit-log.ts';

/** The accounts' mappings of companies to advertisers, in `nightshift.company_advertisers`. Requests read it in `ofRequests`; default: `db`. */
export function createCompanyMappingStore(db: NodePgDatabase, ofRequests: Sql = db): CompanyMappingStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  const findOfRequest = shareCalls((asked: readonly AskedMappings[]) => findMappings(ofRequests, asked));
  return {
    // Chunks of batches have many companies each, and do not wait for one another.
    find: async (accountId, companyKeys) => {
      if (companyKeys.length === 1) return findOfRequest({ accountId, companyKeys });
      const [mappings] = await withDatabase(() => findMappings(db, [{ accountId, companyKeys }]));
      return mappings ?? new Map();
    },
    map: (accountId, entries, by) =>
      inTransaction((transaction) => mapAll(transaction, accountId, entries, by)),
    remove: (accountId, key, ids, by) =>
      inTransaction((transaction) => removeMapped(transaction, { accountId, key, ids, by })),
    dismiss: (accountId, key, dismissed, by) =>
      inTransaction((transaction) => dismiss(transaction, { accountId, key, dismissed, by })),
    list: (accountId, wanted = {}) => withDatabase(() => listMappings(db, accountId, wanted)),
    count: (accountId, filter = {}) => withDatabase(() => countMappings(db, accountId, filter)),
  };
}

/** Companies of an account. */
interface AskedMappings {
  readonly accountId: number;
  readonly companyKeys: readonly string[];
}

interface MappedRow extends Record<string, unknown> {
  readonly account_id: string;
  readonly company_key: string;
  readonly advertiser_id: string;
  readonly role: AdvertiserRole;
}

/** May read mappings of one account for companies of another, and assigns each to its own. */
async function findMappings(
  db: Sql,
  asked: readonly AskedMappings[],
): Promise<readonly ReadonlyMap<string, CompanyMapping>[]> {
  const companyKeys = asked.flatMap((each) => each.companyKeys);
  if (companyKeys.length === 0) return asked.map(() => new Map());
  const accountIds = [...new Set(asked.map((each) => each.accountId))];
  const found = await db.execute<MappedRow>(
    sql`SELECT account_id, company_key, advertiser_id, role FROM nightshift.company_advertisers
      WHERE account_id = ANY (${bigints(accountIds)}) AND company_key = ANY (${texts(companyKeys)})
      ORDER BY advertiser_id COLLATE "C"`,
  );
  return asked.map((each) => mappingsOf(each, found.rows));
}

function mappingsOf(
  { accountId, companyKeys }: AskedMappings,
  rows: readonly MappedRow[],
): ReadonlyMap<string, CompanyMapping> {
  const mappings = new Map<string, MappedAdvertiser[]>();
  const isAsked = new Set(companyKeys);
  for (const row of rows) {
    if (Number(row.account_id) !== accountId || !isAsked.has(row.company_key)) continue;
    const mapping = mappings.get(row.company_key);
    if (mapping === undefined) mappings.set(row.company_key, [toMapped(row)]);
    else mapping.push(toMapped(row));
  }
  return mappings;
}

/** Maximum number of entries per statement, and per entry of the audit log. */
const entriesMax = 1_000;

async function mapAll(
  db: Sql,
  accountId: number,
  entries: readonly MappingEntry[],
  by: Actor,
): Promise<{ readonly added: number }> {
  const distinct = sortDistinct(entries);
  let added = 0;
  for (let at = 0; at < distinct.length; at += entriesMax) {
    const block = distinct.slice(at, at + entriesMax);
    added += await mapBlock(db, accountId, block);
    await noteChange(
      db,
      accountId,
      block.map(({ companyKey }) => companyKey),
    );
    const details = { mapped: block.map(({ companyKey, ...mapped }) => auditLine(companyKey, mapped)) };
    await writeAudit(db, { accountId, event: 'companies_mapped', keyId: null, ...by, details });
  }
  return { added };
}

/** The last entry of each key, sorted by key, so that two processes that map the same companies do not deadlock. */
function sortDistinct(entries: readonly MappingEntry[]): readonly MappingEntry[] {
  const last = new Map(
    entries.map((entry) => [JSON.stringify([entry.companyKey, entry.advertiserId]), entry]),
  );
  return [...last].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
}

async function mapBlock(db: Sql, accountId: number, entries: readonly MappingEntry[]): Promise<number> {
  const mapped = await db.execute<{ is_new: boolean }>(
    sql`INSERT INTO nightshift.company_advertisers AS m (account_id, company_key, advertiser_id, role, note)
      SELECT ${accountId}, e.company_key, e.advertiser_id, e.role, e.note
      FROM unnest(${texts(entries.map((entry) => entry.companyKey))},
        ${texts(entries.map((entry) => entry.advertiserId))},
        ${texts(entries.map((entry) => entry.role))},
        ${texts(entries.map((entry) => entry.note))}) AS e (company_key, advertiser_id, role, note)
      ON CONFLICT (account_id, company_key, advertiser_id) DO UPDATE
        SET role = excluded.role, note = coalesce(excluded.note, m.note), checked_at = now()
      RETURNING m.xmax = 0 AS is_new`,
  );
  return mapped.rows.filter((row) => row.is_new).length;
}

interface Removal {
  readonly accountId: number;
  readonly key: string;
  readonly ids: readonly string[] | null;
  readonly by: Actor;
}

async function removeMapped(db: Sql, { accountId, key, ids, by }: Removal): Promise<CompanyMapping> {
  const { companyKey, advertiserId, role } = companyAdvertisers;
  const isChosen = ids === null ? undefined : inArray(advertiserId, ids);
  const mapping = await db
    .delete(companyAdvertisers)
    .where(and(eq(companyAdvertisers.accountId, accountId), eq(companyKey, key), isChosen))
    .returning({ advertiserId, role });
  if (mapping.length === 0) return mapping;
  await noteChange(db, accountId, [key]);
  const details = { removed: mapping.map((mapped) => auditLine(key, mapped)) };
  await writeAudit(db, { accountId, event: 'companies_unmapped', keyId: null, ...by, details });
  return mapping;
}

/** Earlier answers follow an outdated mapping, and are not reused from now on. */
async function noteChange(db: Sql, accountId: number, companyKeys: readonly string[]): Promise<void> {
  const sorted = [...new Set(companyKeys)].sort();
  await db.execute(
    sql`INSERT INTO nightshift.company_mapping_changes (account_id, company_key)
      SELECT ${accountId}, c.company_key FROM unnest(${texts(sorted)}) AS c(company_key)
      ON CONFLICT (account_id, company_key) DO UPDATE SET changed_at = now(), dismissed = false`,
  );
}

interface Dismissal {
  readonly accountId: number;
  readonly key: string;
  readonly dismissed: boolean;
  readonly by: Actor;
}

/** Earlier answers stay valid: a dismissal says nothing about the advertisers of the company. */
async function dismiss(db: Sql, { accountId, key, dismissed, by }: Dismissal): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.company_mapping_changes (account_id, company_key, changed_at, dismissed)
      VALUES (${accountId}, ${key}, '-infinity', ${dismissed})
      ON CONFLICT (account_id, company_key) DO UPDATE SET dismissed = excluded.dismissed`,
  );
  const details = { company_key: key, dismissed };
  await writeAudit(db, { accountId, event: 'company_dismissed', keyId: null, ...by, details });
}

interface ListedRow extends MappedRow {
  readonly note: string | null;
  readonly checked_at: string;
}

async function listMappings(
  db: Sql,
  accountId: number,
  { after, limit, ...filter }: MappingsWanted,
): Promise<readonly ListedMapping[]> {
  const from =
    after === undefined
      ? sql``
      : sql` AND (m.company_key COLLATE "C", m.advertiser_id COLLATE "C") > (${after.companyKey}::text, ${after.advertiserId}::text)`;
  const { rows } = await db.execute<ListedRow>(
    sql`SELECT m.* FROM nightshift.company_advertisers m WHERE ${wantedSql(accountId, filter)}${from}
      ORDER BY m.company_key COLLATE "C", m.advertiser_id COLLATE "C" LIMIT ${limit ?? null}`,
  );
  return rows.map((row) => ({
    ...toMapped(row),
    companyKey: row.company_key,
    note: row.note === '' ? null : row.note,
    checkedAt: new Date(row.checked_at),
  }));
}

async function countMappings(db: Sql, accountId: number, filter: MappingFilter): Promise<number> {
  const { rows } = await db.execute<{ entries: number }>(
    sql`SELECT count(*)::integer AS entries FROM nightshift.company_advertisers m WHERE ${wantedSql(accountId, filter)}`,
  );
  return rows[0]?.entries ?? 0;
}

/** Condition on an entry `m`. A company is searched by its domain or name, without the kind of its key. */
function wantedSql(accountId: number, { companyKey, role, words = [] }: MappingFilter): SQL {
  const conditions = [
    sql`m.account_id = ${accountId}`,
    ...(companyKey === undefined ? [] : [sql`m.company_key = ${companyKey}`]),
    ...(role === undefined ? [] : [sql`m.role = ${role}`]),
    ...words.map(
      (word) =>
        sql`strpos(lower(concat_ws(' ', substr(m.company_key, 3), m.advertiser_id, m.note)), lower(${word}::text)) > 0`,
    ),
  ];
  return sql.join(conditions, sql` AND `);
}

function toMapped({ advertiser_id: advertiserId, role }: MappedRow): MappedAdvertiser {
  return { advertiserId, role };
}

function auditLine(companyKey: string, { advertiserId, role }: MappedAdvertiser): object {
  return { company_key: companyKey, advertiser_id: advertiserId, role };
}

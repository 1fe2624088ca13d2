import { randomUUID } from 'node:crypto';
import { eq, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  AccountService,
  AccountOverview,
  NewGrant,
} from '../../../src/core/accounts/account-service.ts';
import type { LimitChanges } from '../../../src/core/accounts/account-limits.ts';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import { DatabaseUnavailable, NotFound } from '../../../src/core/errors.ts';
import { databaseOutage } from '../../../src/core/work/postgres-retries.ts';
import { repeatWhileAway } from '../../../src/core/work/repeat-while-away.ts';
import type { WaitCause } from '../../../src/core/work/wait-cause.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { accountLimits, accountSourceLimits } from '../../schema/accounts.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { openByBatch } from './account-limits.ts';
import { createAccount, findAccount } from './accounts.ts';
import { writeAudit, type AuditEntry } from './audit-log.ts';
import { keepAnswer } from './stored-responses.ts';
import { grantCredits } from '../credits/ledger.ts';
import { resumedSql } from '../sql/resumed.ts';

/** Service for operators to manage accounts. */
export function createAccountService(db: NodePgDatabase): AccountService {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    list: (limit, after) =>
      withDatabase(() =>
        selectOverviews(db, after === undefined ? sql`true` : sql`a.name > ${after}`, limit),
      ),
    read: (name) => withDatabase(() => readOverview(db, name)),
    create: (name, by, kept) =>
      inTransaction(async (transaction) => {
        const accountId = await createAccount(transaction, name);
        await audit(transaction, accountId, { event: 'account_created', by, details: { name } });
        const created = await readOverview(transaction, name);
        await keepAnswer(transaction, kept, created);
        return created;
      }),
    grant: (name, grant, by, kept) => {
      const key = randomUUID();
      return grantSurely(() =>
        inTransaction(async (transaction) => {
          const isNew = await grantTo(transaction, name, { ...grant, key }, by);
          const after = await readOverview(transaction, name);
          if (isNew) await keepAnswer(transaction, kept, after);
          return after;
        }),
      );
    },
    setLimits: (name, changes, by) =>
      inTransaction(async (transaction) => {
        await setLimits(transaction, name, changes, by);
        return readOverview(transaction, name);
      }),
  };
}

interface LimitsAtSource {
  readonly source: string;
  readonly concurrency: number | null;
  readonly callsPerDay: number | null;
}

interface OverviewRow extends Record<string, unknown> {
  readonly name: string;
  readonly balance_micro: string;
  readonly held_micro: string;
  readonly keys: number;
  readonly users: number;
  readonly open: string;
  readonly requests_per_minute: number | null;
  readonly open_lookups: number | null;
  readonly rows_per_batch: number | null;
  readonly weight: number | null;
  readonly at_sources: readonly LimitsAtSource[] | null;
  readonly has_login: boolean;
  readonly created_at: string;
}

async function selectOverviews(db: Sql, which: SQL, limit: number): Promise<readonly AccountOverview[]> {
  const found = await db.execute<OverviewRow>(
    sql`SELECT a.name, c.balance_micro, c.held_micro, a.created_at, l.requests_per_minute, l.open_lookups, l.rows_per_batch, l.weight, (
          SELECT count(*)::integer FROM nightshift.api_keys k
          WHERE k.account_id = a.id AND k.revoked_at IS NULL AND (k.expires_at > now()) IS NOT FALSE
        ) AS keys,
        (SELECT count(*)::integer FROM nightshift.users u WHERE u.account_id = a.id AND u.disabled_at IS NULL) AS users,
        (SELECT coalesce(sum(o.open), 0) FROM (${openByBatch(sql`b.account_id = a.id`)}) o) AS open,
        (SELECT jsonb_agg(jsonb_build_object('source', s.source, 'concurrency', s.concurrency, 'callsPerDay', s.calls_per_day) ORDER BY s.source)
          FROM nightshift.account_source_limits s WHERE s.account_id = a.id AND num_nonnulls(s.concurrency, s.calls_per_day) > 0) AS at_sources,
        EXISTS (SELECT FROM nightshift.account_logins g WHERE g.account_id = a.id) AS has_login
      FROM nightshift.accounts a
      JOIN nightshift.credit_balances c ON c.account_id = a.id
      LEFT JOIN nightshift.account_limits l ON l.account_id = a.id
      WHERE ${which} ORDER BY a.name LIMIT ${limit}`,
  );
  return found.rows.map((row) => ({
    name: row.name,
    balanceMicro: BigInt(row.balance_micro),
    heldMicro: BigInt(row.held_micro),
    keys: row.keys,
    users: row.users,
    openLookups: Number(row.open),
    limits: {
      requestsPerMinute: row.requests_per_minute,
      openLookups: row.open_lookups,
      rowsPerBatch: row.rows_per_batch,
      weight: row.weight,
    },
    limitsAtSources: new Map(
      (row.at_sources ?? []).map(({ source, ...limits }) => [source, limits] as const),
    ),
    hasLogin: row.has_login,
    createdAt: new Date(row.created_at),
  }));
}

async function readOverview(db: Sql, name: string): Promise<AccountOverview> {
  const [found] = await selectOverviews(db, sql`a.name = ${name}`, 1);
  if (found === undefined) throw new NotFound(`There is no account "${name}".`);
  return found;
}

/** Repeats a grant while the database is unavailable, for a few seconds: the answer to its COMMIT may have been lost. */
async function grantSurely<T>(grant: () => Promise<T>): Promise<T> {
  try {
    return await repeatWhileAway(grant, AbortSignal.timeout(databaseOutage.giveUpMs));
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    throw new DatabaseUnavailable(
      'Postgres cannot be reached, or the connection was lost. The credits may have been granted: when the server answers again, look at the ' +
        'balance with "nightshift credits" before you repeat the command.',
      { cause: error },
    );
  }
}

/** False when an earlier transaction has granted the credits under this key. */
async function grantTo(
  db: Sql,
  name: string,
  { key, amountMicro, reason }: NewGrant & { readonly key: string },
  by: Actor,
): Promise<boolean> {
  const accountId = await findAccount(db, name);
  const [status] = await grantCredits(db, accountId, [{ key, amountMicro, reason }]);
  if (status === 'exists') return false;
  const details = { credits_micro: String(amountMicro), reason };
  await audit(db, accountId, { event: 'credits_granted', by, details });
  return true;
}

async function setLimits(
  db: Sql,
  name: string,
  { atSources = new Map(), ...changes }: LimitChanges,
  by: Actor,
): Promise<void> {
  const accountId = await findAccount(db, name);
  await db.insert(accountLimits).values({ accountId }).onConflictDoNothing();
  const details = { ...changes, ...(atSources.size === 0 ? {} : { sources: Object.fromEntries(atSources) }) };
  if (Object.keys(details).length === 0) return;
  if (Object.keys(changes).length > 0)
    await db.update(accountLimits).set(changes).where(eq(accountLimits.accountId, accountId));
  for (const [source, limits] of atSources) {
    if (Object.keys(limits).length === 0) continue;
    const { accountId: account, source: id } = accountSourceLimits;
    await db
      .insert(accountSourceLimits)
      .values({ accountId, source, ...limits })
      .onConflictDoUpdate({ target: [account, id], set: limits });
    if ('callsPerDay' in limits) await resumeLimited(db, accountId, source);
  }
  await notifyWorkers(db);
  await audit(db, accountId, { event: 'limits_changed', by, details });
}

const accountDayCalls: WaitCause = 'account_day_calls';

/** Resumes the batches of an account that wait because its calls of the day to this source are used up. */
async function resumeLimited(db: Sql, accountId: number, source: string): Promise<void> {
  await db.execute(
    sql`WITH held AS MATERIALIZED (
        SELECT b.id FROM nightshift.batches b
        WHERE b.account_id = ${accountId} AND b.state = 'waiting_for_source' AND b.wait_cause = ${accountDayCalls}
          AND ${source} = ANY (b.sources)
        ORDER BY b.id FOR NO KEY UPDATE
      )
      UPDATE nightshift.batches b SET ${resumedSql} FROM held WHERE b.id = held.id`,
  );
}

function audit(
  db: Sql,
  accountId: number,
  { event, by, details }: { readonly event: string; readonly by: Actor } & Pick<AuditEntry, 'details'>,
): Promise<void> {
  return writeAudit(db, { accountId, event, keyId: null, ...by, details });
}

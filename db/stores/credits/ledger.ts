import assert from 'node:assert/strict';
import { eq, sql } from 'drizzle-orm';
import type {
  Balance,
  CreditLedger,
  Grant,
  GrantStatus,
  Hold,
  ReserveStatus,
  Resolution,
  ResolveStatus,
} from '../../../src/core/credits/ledger.ts';
import { NotFound } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { creditBalances } from '../../schema/credits.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';

/**
 * The ledger of docs/architecture/decisions/0010-set-based-ledger.md over its three functions in the database; see
 * `db/sql/ledger.sql`.
 */
export function createLedger(db: Sql): CreditLedger {
  return {
    grant: (accountId, grants) => withDatabase(() => grantCredits(db, accountId, grants)),
    reserve: (accountId, holds) => withDatabase(() => reserveCredits(db, accountId, holds)),
    resolve: (accountId, resolutions) => withDatabase(() => resolveCredits(db, accountId, resolutions)),
    readBalance: (accountId) => withDatabase(() => readBalance(db, accountId)),
  };
}

/** Reserves credits in the caller's transaction. */
export async function reserveCredits(db: Sql, accountId: number, holds: readonly Hold[]) {
  return callLedger<ReserveStatus>(
    db,
    sql`SELECT nightshift.credit_reserve(${accountId}, ${bigints(holds.map((hold) => hold.lookupId))},
      ${ints(holds.map((hold) => hold.attempt))}::smallint[], ${bigints(holds.map((hold) => hold.amountMicro))}) AS statuses`,
  );
}

async function resolveCredits(db: Sql, accountId: number, resolutions: readonly Resolution[]) {
  return callLedger<ResolveStatus>(
    db,
    sql`SELECT nightshift.credit_resolve(${accountId}, ${bigints(resolutions.map((item) => item.lookupId))},
      ${ints(resolutions.map((item) => item.attempt))}::smallint[],
      ${bigints(resolutions.map((item) => item.amountMicro))}) AS statuses`,
  );
}

/** Releases open holds in the caller's transaction; the caller guarantees that they are open. */
export async function releaseHolds(db: Sql, accountId: number, holds: readonly Hold[]): Promise<void> {
  const open = holds.filter(({ amountMicro }) => amountMicro > 0n);
  if (open.length === 0) return;
  const releases = open.map(({ lookupId, attempt }) => ({ lookupId, attempt, amountMicro: 0n }));
  const statuses = await resolveCredits(db, accountId, releases);
  assert(
    statuses.every((status) => status === 'released'),
    'A hold that was to be released is not open.',
  );
}

/** Grants credits in the caller's transaction. */
export async function grantCredits(db: Sql, accountId: number, grants: readonly Grant[]) {
  return callLedger<GrantStatus>(
    db,
    sql`SELECT nightshift.credit_grant(${accountId}, ${texts(grants.map((grant) => grant.key))},
      ${bigints(grants.map((grant) => grant.amountMicro))}, ${texts(grants.map((grant) => grant.reason))}) AS statuses`,
  );
}

async function callLedger<Status>(db: Sql, call: ReturnType<typeof sql>): Promise<readonly Status[]> {
  const result = await db.execute<{ statuses: readonly Status[] | null }>(call);
  return result.rows[0]?.statuses ?? [];
}

async function readBalance(db: Sql, accountId: number): Promise<Balance> {
  const { balanceMicro, heldMicro } = creditBalances;
  const [balance] = await db
    .select({ balanceMicro, heldMicro })
    .from(creditBalances)
    .where(eq(creditBalances.accountId, accountId));
  if (balance === undefined) throw new NotFound(`There is no account ${accountId}.`);
  return balance;
}

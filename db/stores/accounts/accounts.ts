import { eq, sql } from 'drizzle-orm';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { accounts } from '../../schema/accounts.ts';
import { creditBalances } from '../../schema/credits.ts';

/**
 * Finds the id of an account by its name.
 *
 * @throws NotFound when there is none.
 */
export async function findAccount(db: Sql, name: string): Promise<number> {
  const [account] = await withDatabase(() =>
    db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name)),
  );
  if (account === undefined) throw new NotFound(`There is no account "${name}".`);
  return account.id;
}

/** Port: accounts, by name. */
export interface AccountStore {
  /** @throws NotFound */
  find(name: string): Promise<number>;
  /** @throws NotFound */
  readName(accountId: number): Promise<string>;
  /** @throws Conflict when the name is taken. */
  create(name: string): Promise<number>;
  list(): Promise<readonly AccountLine[]>;
  /** Threshold in microcredits, including held ones, below which the account receives `credits.low`; 0: never. */
  readLow(accountId: number): Promise<bigint>;
  /** Sets the threshold. If the balance is already lower, the event is emitted at once. */
  setLow(accountId: number, lowMicro: bigint): Promise<void>;
}

export function createAccountStore(db: Sql): AccountStore {
  return {
    find: (name) => findAccount(db, name),
    readName: (accountId) => readName(db, accountId),
    create: (name) => createAccount(db, name),
    list: () => listAccounts(db),
    readLow: (accountId) => readLow(db, accountId),
    setLow: (accountId, lowMicro) => setLow(db, accountId, lowMicro),
  };
}

async function readName(db: Sql, accountId: number): Promise<string> {
  const [account] = await withDatabase(() =>
    db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId)),
  );
  if (account === undefined) throw new NotFound('There is no such account.');
  return account.name;
}

/** @throws Conflict when the name is taken. */
export async function createAccount(db: Sql, name: string): Promise<number> {
  const created = await withDatabase(() =>
    db.execute<{ id: string | null }>(sql`SELECT nightshift.create_account(${name}) AS id`),
  );
  const id = created.rows[0]?.id ?? null;
  if (id === null) throw new Conflict(`There is an account "${name}" already.`);
  return Number(id);
}

/** An account with its available balance, in microcredits. */
export interface AccountLine {
  readonly name: string;
  readonly balanceMicro: bigint;
  readonly heldMicro: bigint;
  readonly keys: number;
  readonly createdAt: Date;
}

/** Oldest first; `keys` counts valid keys. */
async function listAccounts(db: Sql): Promise<readonly AccountLine[]> {
  const found = await withDatabase(() =>
    db.execute<{ name: string; balance_micro: string; held_micro: string; keys: number; created_at: string }>(
      sql`SELECT a.name, c.balance_micro, c.held_micro, a.created_at, (
            SELECT count(*)::integer FROM nightshift.api_keys k
            WHERE k.account_id = a.id AND k.revoked_at IS NULL AND (k.expires_at > now()) IS NOT FALSE
          ) AS keys
        FROM nightshift.accounts a JOIN nightshift.credit_balances c ON c.account_id = a.id ORDER BY a.id`,
    ),
  );
  return found.rows.map((row) => ({
    name: row.name,
    balanceMicro: BigInt(row.balance_micro),
    heldMicro: BigInt(row.held_micro),
    keys: row.keys,
    createdAt: new Date(row.created_at),
  }));
}

async function readLow(db: Sql, accountId: number): Promise<bigint> {
  const { lowMicro } = creditBalances;
  const [balance] = await withDatabase(() =>
    db.select({ lowMicro }).from(creditBalances).where(eq(creditBalances.accountId, accountId)),
  );
  return balance?.lowMicro ?? 0n;
}

async function setLow(db: Sql, accountId: number, lowMicro: bigint): Promise<void> {
  await withDatabase(() => db.execute(sql`SELECT nightshift.set_low_credits(${accountId}, ${lowMicro})`));
}

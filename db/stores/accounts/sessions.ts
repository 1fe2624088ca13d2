import { and, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type { Role } from '../../../src/core/accounts/roles.ts';
import {
  sessionDays,
  type FoundSession,
  type OwnSession,
  type SessionOrigin,
  type SessionStore,
  type SignInMethod,
} from '../../../src/core/accounts/session-store.ts';
import { NotFound } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { sessions, signInLinks, users } from '../../schema/users.ts';
import { findAccount } from './accounts.ts';
import { writeAudit } from './audit-log.ts';

/** Sessions in `nightshift.sessions`, and sign-in links in `nightshift.sign_in_links`, by the digests of their tokens. */
export function createSessionStore(db: NodePgDatabase): SessionStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    find: (digest) => withDatabase(() => findSession(db, digest)),
    begin: (userId, digest, origin) =>
      inTransaction((transaction) => begin(transaction, userId, { digest, origin })),
    noteUse: (digest) => withDatabase(() => noteUse(db, digest)),
    list: (userId, own) => withDatabase(() => listSessions(db, userId, own)),
    end: (digest) =>
      withDatabase(async () => {
        await db
          .update(sessions)
          .set({ endedAt: sql`now()` })
          .where(and(eq(sessions.digest, digest), isNull(sessions.endedAt)));
      }),
    endOne: (userId, sessionId) => withDatabase(() => endOne(db, userId, sessionId)),
    endAll: (userId, by) => inTransaction((transaction) => endAll(transaction, userId, by)),
    createLink: (login, digest, link) =>
      inTransaction(async (transaction) => {
        await createLink(transaction, login, { digest, ...link });
      }),
    useLink: (link, session, origin) =>
      inTransaction(async (transaction) => {
        const userId = await takeLink(transaction, link);
        if (userId !== null) await begin(transaction, userId, { digest: session, origin });
        return userId === null ? null : { userId };
      }),
    view: (digest, account, by) => inTransaction((transaction) => view(transaction, account, { digest, by })),
    stopViewing: (digest, by) => inTransaction((transaction) => stopViewing(transaction, digest, by)),
    noteRefusal: (login, address) => withDatabase(() => noteRefusal(db, login, address)),
  };
}

/** By the database clock. */
const holds = sql`(s.ended_at IS NULL AND s.seen_at > now() - make_interval(days => ${sessionDays.idle})
  AND s.began_at > now() - make_interval(days => ${sessionDays.most}) AND u.disabled_at IS NULL)`;

async function findSession(db: Sql, digest: Buffer): Promise<FoundSession | null> {
  const found = await db.execute<{
    user_id: string;
    login: string;
    account_id: string;
    account: string;
    role: Role;
    requests_per_minute: number | null;
    has_password: boolean;
    method: SignInMethod;
    began_at: string;
    is_use_noted: boolean;
    viewed_id: string | null;
    viewed_account: string | null;
  }>(
    sql`SELECT u.public_id AS user_id, u.login, u.account_id, a.name AS account, u.role, u.password_hash IS NOT NULL AS has_password,
        s.method, s.began_at, s.seen_at > now() - interval '1 minute' AS is_use_noted, l.requests_per_minute,
        v.id AS viewed_id, v.name AS viewed_account
      FROM nightshift.sessions s JOIN nightshift.users u ON u.id = s.user_id JOIN nightshift.accounts a ON a.id = u.account_id
      LEFT JOIN nightshift.accounts v ON v.id = s.viewed_account_id AND u.role = 'operator'
      LEFT JOIN nightshift.account_limits l ON l.account_id = coalesce(v.id, a.id)
      WHERE s.digest = ${digest} AND ${holds}`,
  );
  const [row] = found.rows;
  if (row === undefined) return null;
  return {
    userId: row.user_id,
    login: row.login,
    accountId: Number(row.account_id),
    account: row.account,
    role: row.role,
    requestsPerMinute: row.requests_per_minute,
    hasPassword: row.has_password,
    method: row.method,
    beganAt: new Date(row.began_at),
    viewed:
      row.viewed_id === null || row.viewed_account === null
        ? null
        : { accountId: Number(row.viewed_id), account: row.viewed_account },
    isUseNoted: row.is_use_noted,
  };
}

async function begin(
  db: Sql,
  userId: string,
  { digest, origin }: { readonly digest: Buffer; readonly origin: SessionOrigin },
): Promise<void> {
  const { method, address, agent } = origin;
  const begun = await db.execute<{ account_id: string }>(
    sql`WITH u AS (
        UPDATE nightshift.users SET last_sign_in_at = now() WHERE public_id = ${userId} AND disabled_at IS NULL RETURNING id, account_id
      ), s AS (
        INSERT INTO nightshift.sessions (public_id, digest, user_id, method, address, agent)
        SELECT ${newId('ses', Date.now())}, ${digest}, id, ${method}, ${address}, ${agent} FROM u
      ) SELECT account_id FROM u`,
  );
  const [row] = begun.rows;
  if (row === undefined) throw new NotFound(`There is no user ${userId} who may sign in.`);
  const accountId = Number(row.account_id);
  await writeAudit(db, {
    accountId,
    event: 'signed_in',
    keyId: null,
    actor: userId,
    address,
    details: { method },
  });
}

async function noteUse(db: Sql, digest: Buffer): Promise<void> {
  await db
    .update(sessions)
    .set({ seenAt: sql`now()` })
    .where(and(eq(sessions.digest, digest), lt(sessions.seenAt, sql`now() - interval '1 minute'`)));
}

async function listSessions(db: Sql, userId: string, own: Buffer): Promise<readonly OwnSession[]> {
  const found = await db.execute<{
    public_id: string;
    method: SignInMethod;
    address: string;
    agent: string;
    began_at: string;
    seen_at: string;
    is_this: boolean;
  }>(
    sql`SELECT s.public_id, s.method, s.address, s.agent, s.began_at, s.seen_at, s.digest = ${own} AS is_this
      FROM nightshift.sessions s JOIN nightshift.users u ON u.id = s.user_id
      WHERE u.public_id = ${userId} AND ${holds} ORDER BY s.id DESC LIMIT 100`,
  );
  return found.rows.map((row) => ({
    sessionId: row.public_id,
    method: row.method,
    address: row.address,
    agent: row.agent,
    beganAt: new Date(row.began_at),
    seenAt: new Date(row.seen_at),
    isThis: row.is_this,
  }));
}

async function endOne(db: Sql, userId: string, sessionId: string): Promise<void> {
  const ended = await db
    .update(sessions)
    .set({ endedAt: sql`coalesce(${sessions.endedAt}, now())` })
    .from(users)
    .where(and(eq(users.id, sessions.userId), eq(users.publicId, userId), eq(sessions.publicId, sessionId)));
  if (ended.rowCount === 0) throw new NotFound(`There is no session ${sessionId}.`);
}

async function endAll(db: Sql, userId: string, by: Actor): Promise<number> {
  const [user] = await db
    .select({ id: users.id, accountId: users.accountId })
    .from(users)
    .where(eq(users.publicId, userId));
  if (user === undefined) throw new NotFound(`There is no user ${userId}.`);
  const ended = await endSessions(db, user.id, null);
  const details = { user: userId, sessions: ended };
  await writeAudit(db, {
    accountId: user.accountId,
    event: 'signed_out_everywhere',
    keyId: null,
    ...by,
    details,
  });
  return ended;
}

/** Ends the sessions of a user, except `keep`, and the unused sign-in links. Returns the number of sessions. */
export async function endSessions(db: Sql, userId: number, keep: Buffer | null): Promise<number> {
  const isAnother = keep === null ? undefined : ne(sessions.digest, keep);
  const ended = await db
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), isAnother));
  const { usedAt, expiresAt } = signInLinks;
  await db
    .update(signInLinks)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(signInLinks.userId, userId), isNull(usedAt), gt(expiresAt, sql`now()`)));
  return ended.rowCount ?? 0;
}

/** Deletes sessions and links a day after their end, at most `max` of each. */
export async function deleteOldSessions(db: Sql, max: number): Promise<void> {
  const { id, endedAt, seenAt, beganAt } = sessions;
  const old = db
    .select({ id })
    .from(sessions)
    .where(
      or(
        lt(endedAt, daysAgo(1)),
        lt(seenAt, daysAgo(sessionDays.idle + 1)),
        lt(beganAt, daysAgo(sessionDays.most + 1)),
      ),
    )
    .limit(max);
  await db.delete(sessions).where(inArray(id, old));
  const { digest, expiresAt } = signInLinks;
  const lapsed = db
    .select({ digest })
    .from(signInLinks)
    .where(lt(expiresAt, daysAgo(1)))
    .limit(max);
  await db.delete(signInLinks).where(inArray(digest, lapsed));
}

/** Creates a sign-in link, and returns the time of its expiry. Earlier links of the user become invalid. @throws NotFound */
export async function createLink(
  db: Sql,
  login: string,
  { digest, minutes, by }: { readonly digest: Buffer; readonly minutes: number; readonly by: Actor },
): Promise<Date> {
  const created = await db.execute<{ account_id: string; public_id: string; expires_at: string }>(
    sql`WITH u AS (SELECT id, account_id, public_id FROM nightshift.users WHERE login = ${login.toLowerCase()} AND disabled_at IS NULL),
      older AS (UPDATE nightshift.sign_in_links SET expires_at = now()
        WHERE user_id = (SELECT id FROM u) AND used_at IS NULL AND expires_at > now()),
      l AS (INSERT INTO nightshift.sign_in_links (digest, user_id, expires_at)
        SELECT ${digest}, id, now() + make_interval(mins => ${minutes}) FROM u RETURNING expires_at)
      SELECT account_id, public_id, expires_at FROM u, l`,
  );
  const [row] = created.rows;
  if (row === undefined) throw new NotFound(`There is no user ${login} who may sign in.`);
  const details = { user: row.public_id, minutes };
  await writeAudit(db, {
    accountId: Number(row.account_id),
    event: 'sign_in_link_made',
    keyId: null,
    ...by,
    details,
  });
  return new Date(row.expires_at);
}

async function takeLink(db: Sql, digest: Buffer): Promise<string | null> {
  const { usedAt, expiresAt } = signInLinks;
  const [taken] = await db
    .update(signInLinks)
    .set({ usedAt: sql`now()` })
    .from(users)
    .where(
      and(
        eq(signInLinks.digest, digest),
        isNull(usedAt),
        gt(expiresAt, sql`now()`),
        eq(users.id, signInLinks.userId),
        isNull(users.disabledAt),
      ),
    )
    .returning({ userId: users.publicId });
  return taken?.userId ?? null;
}

async function view(
  db: Sql,
  account: string,
  { digest, by }: { readonly digest: Buffer; readonly by: Actor },
): Promise<void> {
  const accountId = await findAccount(db, account);
  await db.update(sessions).set({ viewedAccountId: accountId }).where(eq(sessions.digest, digest));
  await writeAudit(db, { accountId, event: 'account_viewed', keyId: null, ...by, details: {} });
}

async function stopViewing(db: Sql, digest: Buffer, by: Actor): Promise<void> {
  const [session] = await db
    .select({ accountId: sessions.viewedAccountId })
    .from(sessions)
    .where(eq(sessions.digest, digest))
    .for('update');
  if (session === undefined || session.accountId === null) return;
  await db.update(sessions).set({ viewedAccountId: null }).where(eq(sessions.digest, digest));
  const { accountId } = session;
  await writeAudit(db, { accountId, event: 'account_view_ended', keyId: null, ...by, details: {} });
}

async function noteRefusal(db: Sql, login: string, address: string): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.audit_log (account_id, event, key_id, actor, address, details)
      SELECT account_id, 'sign_in_refused', NULL, public_id, ${address}, '{}'::jsonb
      FROM nightshift.users WHERE login = ${login.toLowerCase()}`,
  );
}

function daysAgo(days: number): SQL {
  return sql`now() - make_interval(days => ${days})`;
}

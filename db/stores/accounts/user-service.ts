import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { createToken, digestToken } from '../../../src/core/accounts/token.ts';
import {
  assertCovers,
  assertUserChange,
  type UserChanges,
  type UserManager,
} from '../../../src/core/accounts/user-rules.ts';
import {
  invitationMinutes,
  usersPerAccountMax,
  type Invitation,
  type Invitee,
  type UserService,
} from '../../../src/core/accounts/user-service.ts';
import type { User } from '../../../src/core/accounts/user-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { createLink } from './sessions.ts';
import { keepAnswer } from './stored-responses.ts';
import { addUser, listUsers, setDisabled, setRole } from './users.ts';

/** Users of one account in `nightshift.users`, by their ids. */
export function createUserService(db: NodePgDatabase): UserService {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    list: (accountId) => withDatabase(() => listUsers(db, accountId)),
    invite: (accountId, invitee, by, kept) =>
      inTransaction((transaction) => invite(transaction, { accountId, invitee, by, kept })),
    createLink: (accountId, userId, by, kept) =>
      inTransaction((transaction) => renewLink(transaction, { accountId, userId, by, kept })),
    change: (accountId, userId, changes, by) =>
      inTransaction((transaction) => change(transaction, { accountId, userId, changes, by })),
  };
}

interface Inviting {
  readonly accountId: number;
  readonly by: UserManager;
  readonly kept: StoredResponse<Invitation> | null | undefined;
}

async function invite(
  db: Sql,
  { accountId, invitee: { login, role }, by, kept }: Inviting & { readonly invitee: Invitee },
): Promise<Invitation> {
  assertCovers(by, role);
  const users = await lockUsers(db, accountId);
  if (users.length >= usersPerAccountMax)
    throw new Conflict(`The account has ${usersPerAccountMax} users, the maximum.`);
  const user = await addUser(db, { login, accountId, role }, by);
  return createInvitation(db, user, { by, kept });
}

async function renewLink(
  db: Sql,
  { accountId, userId, by, kept }: Inviting & { readonly userId: string },
): Promise<Invitation> {
  const { user } = await lockUser(db, accountId, userId);
  assertCovers(by, user.role);
  if (user.disabledAt !== null)
    throw new Conflict(`${user.login} is disabled. Enable the user, then create a link.`);
  return createInvitation(db, user, { by, kept });
}

async function createInvitation(
  db: Sql,
  user: User,
  { by, kept }: Pick<Inviting, 'by' | 'kept'>,
): Promise<Invitation> {
  const token = createToken();
  const link = { digest: digestToken(token), minutes: invitationMinutes, by };
  const invitation = { user, token, expiresAt: await createLink(db, user.login, link) };
  await keepAnswer(db, kept, invitation);
  return invitation;
}

async function change(
  db: Sql,
  {
    accountId,
    userId,
    changes,
    by,
  }: {
    readonly accountId: number;
    readonly userId: string;
    readonly changes: UserChanges;
    readonly by: UserManager;
  },
): Promise<User> {
  const { user, users } = await lockUser(db, accountId, userId);
  assertUserChange({ user, users }, changes, by);
  const { role = user.role, isDisabled } = changes;
  const changed = role === user.role ? user : await setRole(db, user.login, { role, by });
  return isDisabled === undefined ? changed : setDisabled(db, user.login, { isDisabled, by });
}

async function lockUser(db: Sql, accountId: number, userId: string) {
  const users = await lockUsers(db, accountId);
  const user = users.find((each) => each.userId === userId);
  if (user === undefined) throw new NotFound(`There is no user ${userId}.`);
  return { user, users };
}

/** Lists the users of an account after any other change of them has ended: two admins must not disable each other at once. */
async function lockUsers(db: Sql, accountId: number): Promise<readonly User[]> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.users}, ${accountId})`);
  return listUsers(db, accountId);
}

import { sql } from 'drizzle-orm';
import { bigint, check, index, text } from 'drizzle-orm/pg-core';
import type { Role } from '../../src/core/accounts/roles.ts';
import type { SignInMethod } from '../../src/core/accounts/session-store.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Users of the console. */
export const users = nightshift.table(
  'users',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    /** In lower case. */
    login: text().notNull().unique(),
    role: text().notNull().$type<Role>(),
    /** `$scrypt$…`; null for a user without a password, who signs in by link or identity provider. */
    passwordHash: text('password_hash'),
    createdAt: moment('created_at').notNull().defaultNow(),
    disabledAt: moment('disabled_at'),
    lastSignInAt: moment('last_sign_in_at'),
  },
  (table) => [
    index('users_by_account').on(table.accountId, table.id),
    check(
      'users_login',
      sql`length(${table.login}) BETWEEN 1 AND 254 AND ${table.login} = lower(${table.login})`,
    ),
    check('users_role', sql`${table.role} IN ('viewer', 'member', 'admin', 'operator')`),
  ],
);

/** Sessions. Only the SHA-256 of a token is stored. */
export const sessions = nightshift.table(
  'sessions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    digest: bytea().notNull().unique(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    method: text().notNull().$type<SignInMethod>(),
    address: text().notNull(),
    agent: text().notNull(),
    beganAt: moment('began_at').notNull().defaultNow(),
    /** Updated at most once a minute. */
    seenAt: moment('seen_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    /** Account that an operator views, read-only, instead of the own one. */
    viewedAccountId: bigint('viewed_account_id', { mode: 'number' }).references(() => accounts.id),
  },
  (table) => [
    index('sessions_by_user').on(table.userId, table.id),
    check('sessions_digest_length', sql`length(${table.digest}) = 32`),
    check('sessions_method', sql`${table.method} IN ('password', 'link', 'provider')`),
  ],
);

/** Sign-in links. Each starts one session. */
export const signInLinks = nightshift.table(
  'sign_in_links',
  {
    digest: bytea().primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [
    index('sign_in_links_by_user').on(table.userId),
    check('sign_in_links_digest_length', sql`length(${table.digest}) = 32`),
  ],
);

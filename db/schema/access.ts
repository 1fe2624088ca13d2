import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Scope } from '../../src/core/accounts/api-key.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Keys to the API. The key itself is nowhere: only its SHA-256, and what people tell keys apart by. */
export const apiKeys = nightshift.table(
  'api_keys',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    digest: bytea().notNull().unique(),
    /** First and last characters of the key, for people: `ns_live_Ab12…x9Yz`. */
    hint: text().notNull(),
    scopes: text().array().notNull().$type<readonly Scope[]>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** By the database clock; null for a key that does not expire. */
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Written at most once a minute. */
    lastUsedAt: moment('last_used_at'),
    /** The id of the user or of the key that made it, or `cli`: a key ends with who made it. Null for keys of before this was kept. */
    createdBy: text('created_by'),
  },
  (table) => [
    index('api_keys_by_account').on(table.accountId, table.id),
    index('api_keys_by_maker').on(table.createdBy),
    check('api_keys_name_length', sql`length(${table.name}) BETWEEN 1 AND 200`),
    check('api_keys_digest_length', sql`length(${table.digest}) = 32`),
  ],
);

/** Changes of keys, accounts and company mappings with their author, append-only. Never the key itself. */
export const auditLog = nightshift.table(
  'audit_log',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    accountId: bigint('account_id', { mode: 'number' }).references(() => accounts.id),
    event: text().notNull(),
    /** The key that it happened to. */
    keyId: text('key_id'),
    /** Author: the id of a key, or `cli`. */
    actor: text().notNull(),
    /** Address of the client; null for the command line. */
    address: text(),
    details: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [index('audit_log_by_account').on(table.accountId, table.id)],
);

/**
 * Requests that carry an Idempotency-Key. The claim is committed before anything is done; the answer is stored in the transaction
 * of what was done, and given again to whoever repeats the request.
 */
export const idempotencyKeys = nightshift.table(
  'idempotency_keys',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    key: text().notNull(),
    /** The request that claimed it last; a search has its lookup under this name. */
    requestId: text('request_id').notNull(),
    /** SHA-256 of what was asked. */
    fingerprint: bytea().notNull(),
    /** Holder of the claim, until the lease ends; null once there is an answer. */
    token: uuid(),
    leaseUntil: moment('lease_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    status: integer(),
    headers: jsonb().$type<Readonly<Record<string, string>>>(),
    body: bytea(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
    check('idempotency_keys_key_length', sql`length(${table.key}) BETWEEN 1 AND 255`),
    check(
      'idempotency_keys_state',
      sql`CASE WHEN ${table.token} IS NULL THEN ${table.leaseUntil} IS NULL AND ${table.status} BETWEEN 200 AND 299
        AND ${table.body} IS NOT NULL AND ${table.headers} IS NOT NULL
        ELSE ${table.leaseUntil} IS NOT NULL AND ${table.status} IS NULL AND ${table.body} IS NULL END`,
    ),
  ],
);

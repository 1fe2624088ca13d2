import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Scope } from '../../src/core/accounts/api-key.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** API keys. Stored are the SHA-256 of a key and a hint, never the key itself. */
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
    /** First and last characters of the key: `ns_live_Ab12…x9Yz`. */
    hint: text().notNull(),
    scopes: text().array().notNull().$type<readonly Scope[]>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Null for a key that does not expire. */
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Updated at most once a minute. */
    lastUsedAt: moment('last_used_at'),
    /** Creator: the id of a user or key, or `cli`. A key is revoked with its creator. */
    createdBy: text('created_by'),
  },
  (table) => [
    index('api_keys_by_account').on(table.accountId, table.id),
    index('api_keys_by_creator').on(table.createdBy),
    check('api_keys_name_length', sql`length(${table.name}) BETWEEN 1 AND 200`),
    check('api_keys_digest_length', sql`length(${table.digest}) = 32`),
  ],
);

/** Append-only log of changes to keys, accounts and company mappings, with their author. It never contains a key. */
export const auditLog = nightshift.table(
  'audit_log',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().defaultNow(),
    accountId: bigint('account_id', { mode: 'number' }).references(() => accounts.id),
    event: text().notNull(),
    /** The changed key. */
    keyId: text('key_id'),
    /** Author: the id of a key, or `cli`. */
    actor: text().notNull(),
    /** IP address of the client; null for the command line. */
    address: text(),
    details: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [index('audit_log_by_account').on(table.accountId, table.id)],
);

/**
 * Requests with an Idempotency-Key. The claim is committed first; the response is stored in the transaction of the work, and returned
 * for a repeated request.
 */
export const idempotencyKeys = nightshift.table(
  'idempotency_keys',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    key: text().notNull(),
    /** The request with the last claim; the lookup of a search has this request id. */
    requestId: text('request_id').notNull(),
    /** SHA-256 of the request. */
    fingerprint: bytea().notNull(),
    /** Holder of the claim, until the lease ends; null once the response is stored. */
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

import { defaultScopes, scopes, type Scope } from './api-key.ts';

/**
 * Roles of users: `viewer` reads; `member` works with batches and credits; `admin` also manages keys and webhooks; `operator` runs the
 * installation.
 */
export const roles = ['viewer', 'member', 'admin', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Permissions: the scopes of keys, and `operator`, which covers all accounts and which no key has. */
export type Permission = Scope | 'operator';

/** Permissions of each role within the account; those of an operator cover all accounts. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['credits:read', 'batches:read', 'sql:read'],
  member: defaultScopes,
  admin: scopes,
  operator: [...scopes, 'operator'],
};

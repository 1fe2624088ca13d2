import { defaultScopes, scopes, type Scope } from './api-key.ts';

/** Who somebody is that signs in: reads; works with lists and credits; manages keys and webhooks too; runs the installation. */
export const roles = ['viewer', 'member', 'admin', 'operator'] as const;
export type Role = (typeof roles)[number];

/** What may be done: the scopes of keys, and `operator`, which no key has: to look after all accounts. */
export type Permission = Scope | 'operator';

/** What somebody of a role may do, within the account; an operator beyond it. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['credits:read', 'batches:read', 'sql:read'],
  member: defaultScopes,
  admin: scopes,
  operator: [...scopes, 'operator'],
};

import type { Body } from '../../api/client.ts';

type User = NonNullable<Body<'Session'>['user']>;

/** Permissions of each role, as text. */
export const roleLabels: Readonly<Record<User['role'], string>> = {
  viewer: 'sees everything, starts nothing',
  member: 'works with lists, schedules and credits',
  admin: 'manages API keys as well',
  operator: 'looks after the whole installation',
};

/** Labels of the ways to sign in. */
export const wayLabels: Readonly<Record<User['signed_in_by'], string>> = {
  password: 'signed in with a password',
  link: 'signed in by a link',
  provider: 'signed in through the identity provider',
};

/** Permissions of each scope, as text. */
export const scopeLabels: Readonly<Record<Body<'ApiKey'>['scopes'][number], string>> = {
  'ads:search': 'search ads',
  'email:validate': 'validate e-mail addresses',
  'credits:read': 'read credits and the ledger',
  'batches:read': 'read lists, schedules and what was found',
  'batches:write': 'hand in and steer lists and schedules',
  'sql:read': 'read everything of the account in SQL',
  admin: 'manage keys and webhooks',
};

const events: Readonly<Record<string, string>> = {
  key_created: 'API key created',
  key_revoked: 'API key revoked',
  key_regenerated: 'API key regenerated',
  key_first_used: 'API key used for the first time',
  key_refused_after_revocation: 'Revoked API key refused',
  key_refused_after_expiry: 'Expired API key refused',
  scope_denied: 'API key lacked a scope',
  user_added: 'User added',
  user_role_changed: 'Role of a user changed',
  user_disabled: 'User disabled',
  user_enabled: 'User enabled again',
  password_set: 'Password set',
  signed_in: 'Signed in',
  signed_out_everywhere: 'Signed out everywhere',
  sign_in_link_made: 'Sign-in link made',
  sign_in_refused: 'Sign-in refused',
  sql_login_created: 'Login to the database made',
  sql_login_removed: 'Login to the database removed',
  account_created: 'Account created',
  credits_granted: 'Credits granted',
  limits_changed: 'Limits changed',
};

/** Label of an event in the audit log. */
export function eventLabels(event: string): string {
  return events[event] ?? event.replaceAll('_', ' ');
}

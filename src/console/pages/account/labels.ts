import type { Body } from '../../api/client.ts';

type User = NonNullable<Body<'Session'>['user']>;

/** Labels of the permissions of each role. */
export const roleLabels: Readonly<Record<User['role'], string>> = {
  viewer: 'can view everything',
  member: 'can run batches and schedules',
  admin: 'can also manage users, API keys and notifications',
  operator: 'manages the whole installation',
};

/** Labels of the sign-in methods. */
export const signInLabels: Readonly<Record<User['signed_in_by'], string>> = {
  password: 'signed in with a password',
  link: 'signed in with a link',
  provider: 'signed in with the identity provider',
};

/** Labels of the scopes. */
export const scopeLabels: Readonly<Record<Body<'ApiKey'>['scopes'][number], string>> = {
  'ads:search': 'search ads',
  'email:validate': 'validate e-mail addresses',
  'credits:read': 'read credits and the ledger',
  'batches:read': 'read batches, schedules and results',
  'batches:write': 'create and control batches and schedules',
  'sql:read': 'query all account data with SQL',
  admin: 'manage keys and webhooks',
};

const events: Readonly<Record<string, string>> = {
  key_created: 'API key created',
  key_revoked: 'API key revoked',
  key_regenerated: 'API key regenerated',
  key_first_used: 'API key used for the first time',
  key_refused_after_revocation: 'Revoked API key rejected',
  key_refused_after_expiry: 'Expired API key rejected',
  scope_denied: 'API key lacks a scope',
  user_added: 'User added',
  user_role_changed: 'Role of a user changed',
  user_disabled: 'User disabled',
  user_enabled: 'User enabled',
  password_set: 'Password set',
  signed_in: 'Signed in',
  signed_out_everywhere: 'Signed out everywhere',
  sign_in_link_made: 'Sign-in link created',
  sign_in_refused: 'Sign-in rejected',
  sql_login_created: 'Database login created',
  sql_login_removed: 'Database login removed',
  webhook_created: 'Notification target added',
  webhook_changed: 'Notification target changed',
  webhook_confirmed: 'Mailbox confirmed',
  webhook_rotated: 'Signing secret replaced',
  webhook_removed: 'Notification target removed',
  subscription_added: 'Subscribed to e-mail',
  subscription_removed: 'Unsubscribed from e-mail',
  report_link_created: 'Link to a report created',
  report_link_revoked: 'Link to a report revoked',
  account_created: 'Account created',
  account_viewed: 'Account viewed by an operator',
  account_view_ended: 'View of an operator ended',
  companies_mapped: 'Companies mapped',
  company_dismissed: 'Company dismissed',
  companies_unmapped: 'Companies removed from the mapping',
  credits_granted: 'Credits granted',
  limits_changed: 'Limits changed',
};

/** Label of an event in the audit log. */
export function eventLabel(event: string): string {
  return events[event] ?? event.replaceAll('_', ' ');
}
